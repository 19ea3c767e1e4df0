/**
 * `npm run bench`: what the built gateway costs, as ratios to a minimal proxy measured beside it in alternating slices of
 * about a second (docs/performance.md). `--quick`: a smoke run of some seconds, without thresholds. `--json`: figures as
 * JSON. `--only <part>`: one part, e.g. `requests`. `--dist <folder>`: another build than `dist`. `--profile <folder>`: CPU
 * profiles of the gateway instead of figures. `--store postgres`: not on the embedded store, for which the targets are, but on
 * the PostgreSQL of TEST_PG_URL or 127.0.0.1:5432.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { AUDIT_ALLOWANCE } from './audit.mjs';
import { createDatabase, end, fail, postgresServer } from './database.mjs';
import { figuresOf } from './figures.mjs';
import { freePort, setUpGateway, startGateway } from './gateway.mjs';
import { firstAnswer, saturate, StreamClient } from './load.mjs';
import { measureAll } from './measure.mjs';
import { CORE, endEverythingOnExit, pinSelf, start, stop } from './processes.mjs';
import { printJson, printTable, verdictOf } from './report.mjs';
import { startUpstream } from './upstream.mjs';

/** The whole run; a machine on which it takes longer is too busy to tell anything. */
const LIMIT_MS = 8 * 60_000;

const here = import.meta.dirname;
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    dist: { type: 'string', default: join(here, '../dist') },
    only: { type: 'string' },
    profile: { type: 'string' },
    store: { type: 'string', default: 'sqlite' },
  },
});

const work = mkdtempSync(join(tmpdir(), 'schneeai-bench-'));
const dist = resolve(options.dist);
endEverythingOnExit(() => rmSync(work, { recursive: true, force: true }));
setTimeout(() => fail(new Error(`The bench took more than ${LIMIT_MS / 60_000} minutes.`)), LIMIT_MS).unref();

function startLimit(upstreamPort, port) {
  const args = [join(here, 'limit-proxy.mjs'), upstreamPort, String(port)];
  return Object.assign(start({ core: CORE.measured, args }), {
    url: `http://127.0.0.1:${port}`,
    key: 'bench',
  });
}

/** The gateway's settings for each store. */
const storeOf = {
  sqlite: async () => ({}),
  postgres: async () => {
    const server = await postgresServer();
    if (server === null) throw new Error('There is no PostgreSQL: TEST_PG_URL names one.');
    const name = `bench_${process.pid}`;
    return { DATABASE_URL: await createDatabase(server, name) };
  },
};

async function setting() {
  const provider = await startUpstream();
  const dataDir = join(work, 'data');
  const store = storeOf[options.store];
  if (store === undefined) throw new Error(`--store takes one of ${Object.keys(storeOf).join(', ')}`);
  const env = await store();
  const { app: key } = await setUpGateway({ dist, dataDir, upstreamUrl: provider.url, env });
  const coldDir = join(work, 'cold', 'data');
  cpSync(dataDir, coldDir, { recursive: true });
  const gatewayOn = async (folder, nodeArgs = []) => {
    const started = startGateway({ dist, dataDir: folder, port: await freePort(), nodeArgs, env });
    return Object.assign(started, { key });
  };
  return {
    dist,
    work,
    direct: { url: provider.url, key: 'bench' },
    newLimit: async () => startLimit(provider.port, await freePort()),
    newGateway: (nodeArgs) => gatewayOn(dataDir, nodeArgs),
    /** A gateway of its own, on a copy of the store, while the other one is there. */
    newColdGateway: () => gatewayOn(coldDir),
  };
}

/** One profile of unstreamed requests and one of streams, each of a gateway that is warm. */
async function profile({ newGateway }, folder) {
  const runs = {
    requests: (gateway) => saturate(gateway, 12_000),
    streams: (gateway) => streams(gateway, 'untranslated'),
    translated: (gateway) => streams(gateway, 'translated'),
  };
  for (const [name, run] of Object.entries(runs)) {
    const gateway = await newGateway([
      '--cpu-prof',
      `--cpu-prof-dir=${folder}`,
      `--cpu-prof-name=${name}.cpuprofile`,
    ]);
    await firstAnswer(gateway);
    await run(gateway);
    await stop(gateway, 'SIGTERM');
  }
}

async function streams(gateway, wire) {
  const client = new StreamClient(gateway, { wire });
  for (let round = 0; round < 4; round++) await client.run(500);
  client.close();
}

async function main() {
  pinSelf(CORE.load);
  const bench = await setting();
  if (options.profile !== undefined) {
    await profile(bench, resolve(options.profile));
    return end(0);
  }
  const { quick, only } = options;
  const measured = await measureAll(bench, { quick, only, dist });
  const isJudged = !quick && options.store === 'sqlite';
  const figures = figuresOf(measured.streamCounts, measured.samples).map((figure) =>
    verdictOf(figure, measured, { isJudged }),
  );
  (options.json ? printJson : printTable)(figures, { quick, measured });
  const tooMuch = (measured.auditWrites ?? []).some(({ coreShare }) => !quick && coreShare > AUDIT_ALLOWANCE);
  const missed = tooMuch || figures.some(({ verdict }) => verdict === 'MISSED');
  return end(missed || measured.failures > 0 ? 1 : 0);
}

process.on('uncaughtException', fail);
main().catch(fail);
