/** What the bench's own servers share. */

/** Even if the bench is killed without a chance to clean up, its pipe closes. */
export function endWithParent() {
  process.stdin.on('end', () => process.exit(0)).resume();
}

/** Listens on loopback only, and tells the parent where. */
export function tellPort(server, port) {
  server.listen(port, '127.0.0.1', () => process.stdout.write(`listening on ${server.address().port}\n`));
}

export function readBody(req) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    req.on('data', (chunk) => chunks.push(chunk));
    req.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    req.on('error', reject);
  });
}
