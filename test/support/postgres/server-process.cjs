const { createInterface } = require('node:readline');
const { EmbeddedServer } = require('./server.cjs');

// A PostgreSQL of a test's own, in a process of its own: each line that comes in is a command, and is answered when it is
// done. When nobody talks to it any more it stops the server and removes its data.
const COMMANDS = { stop: (server) => server.stop(), start: (server) => server.restart() };

async function main() {
  const server = await EmbeddedServer.start();
  process.stdout.write(`${server.url}\n`);
  for await (const command of createInterface({ input: process.stdin })) {
    await COMMANDS[command](server);
    process.stdout.write(`${command} done\n`);
  }
  await server.remove();
}

void main();
