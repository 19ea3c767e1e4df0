/** Ends the process with one sentence on a Node that can't load what we need. It imports nothing, so it runs on any. */
export function supportedNodeOrExit(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 13)) return;
  process.stderr.write(
    `SchneeAI Gateway needs Node.js 22.13 or newer, and this is ${process.version}. The npm scripts use the bundled one: npm start\n`,
  );
  process.exit(1);
}
