const { postgresForTests } = require('./support/postgres/server.cjs');

/** Jest runs this once, before all workers; they inherit the environment. */
module.exports = async (globalConfig) => {
  const server = await postgresForTests(globalConfig);
  if (server.reason !== null) {
    // Never silent: a suite that did not run looks like one that passed.
    process.stderr.write(
      `\nSKIPPED: every test on PostgreSQL, because there is none here: ${server.reason}\n`,
    );
  }
  if (server.url === null) return;
  process.env.TEST_PG_URL = server.url;
  globalThis.stopTestPostgres = server.stop;
};
