/**
 * `npm run bench:scale`: what a request costs beside 10, 1,000 and 100,000 tenants, keys and policies, and beside 10,000 and
 * 1,000,000 audit records; and how long an auditor waits for a filtered page (docs/performance.md). On the embedded store,
 * and on PostgreSQL where TEST_PG_URL or 127.0.0.1:5432 has one. `--quick`: a hundredth of it, to show that it works; `--only records` (or
 * `tenants`, `policies`): one part.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  createDatabase,
  dropDatabase,
  end,
  fail,
  postgresCopy,
  postgresServer,
  sqliteCopy,
} from './database.mjs';
import { adminOf, freePort, setUpGateway, startGateway } from './gateway.mjs';
import { firstAnswer, saturate } from './load.mjs';
import { padConfiguration, padPolicies, padRecords } from './padding.mjs';
import { CORE, endEverythingOnExit, pinSelf, stop } from './processes.mjs';
import { markdown, short } from './report.mjs';
import { median, percentile, spread } from './statistics.mjs';
import { startUpstream } from './upstream.mjs';
import { cpuUs } from './usage.mjs';

const here = import.meta.dirname;
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    dist: { type: 'string', default: join(here, '../dist') },
  },
});
const SCALE = options.quick ? 100 : 1;
const PAIRS = options.quick ? 2 : 25;
const REQUESTS = options.quick ? 200 : 2_000;
/** V8 optimises until some 15,000 requests have been served: a colder gateway beside a warmer one costs half as much again. */
const WARM_ROUNDS = options.quick ? 2 : 9;
const PAGES = options.quick ? 3 : 25;
/** PERFORMANCE.md: at most so much more CPU per request beside the most than beside the fewest. */
const MOST_MORE = 1.1;
/** What a page may take, milliseconds. */
const PAGE_MS = 20;

const work = mkdtempSync(join(tmpdir(), 'schneeai-scale-'));
endEverythingOnExit(() => rmSync(work, { recursive: true, force: true }));

/** A quick run has a hundredth, but never nothing. */
const share = (count) => Math.ceil(count / SCALE);
const of = (count, what) => [`${share(count).toLocaleString('en')} ${what}`, share(count)];
const AXES = {
  'tenants, each with a key and a policy': [padConfiguration, [10, 1_000, 100_000]],
  'policies of one tenant': [padPolicies, [10, 1_000, 100_000]],
  'audit records': [padRecords, [10_000, 1_000_000]],
};

async function measureStore(store) {
  const { template, keys } = await store.setUp();
  const rows = [];
  for (const [what, [pad, counts]] of Object.entries(AXES)) {
    if (!what.includes(options.only)) continue;
    const gateways = [];
    for (const count of counts)
      gateways.push(await paddedGateway(store, { template, keys, pad }, of(count, what)));
    rows.push(...(await requestRows(store, gateways)));
    if (pad === padRecords) rows.push(...(await pageRows(store, gateways.at(-1))));
    for (const { gateway, database } of gateways) {
      await stop(gateway, 'SIGTERM');
      await database.remove?.();
    }
  }
  await store.tearDown(template);
  return rows;
}

async function paddedGateway(store, { template, keys, pad }, [label, count]) {
  const database = await store.copy(template);
  await pad(database, count);
  const { dataDir, env } = database;
  const gateway = startGateway({ dist: options.dist, dataDir, env, port: await freePort() });
  const target = { ...gateway, key: keys.app };
  await firstAnswer(target);
  return { label, gateway, target, database, admin: adminOf(gateway.url, keys.operator) };
}

/** CPU per request, each slice beside one of the smallest store. */
async function requestRows(store, gateways) {
  const [fewest] = gateways;
  const used = async ({ target, gateway }) => {
    const before = cpuUs(gateway.pid);
    const { failures } = await saturate(target, REQUESTS);
    if (failures > 0) throw new Error(`${failures} requests failed.`);
    return (cpuUs(gateway.pid) - before) / REQUESTS;
  };
  for (const each of gateways) for (let round = 0; round < WARM_ROUNDS; round++) await used(each);
  const rows = [];
  for (const each of gateways.slice(1)) {
    const ratios = [];
    const absolute = [];
    for (let index = 0; index < PAIRS; index++) {
      const inTurn = index % 2 === 0 ? [fewest, each] : [each, fewest];
      const [one, other] = [await used(inTurn[0]), await used(inTurn[1])];
      const [small, large] = index % 2 === 0 ? [one, other] : [other, one];
      ratios.push(large / small);
      absolute.push(large);
    }
    const value = spread(ratios);
    const verdict = options.quick ? '' : value.median <= MOST_MORE ? 'must' : 'MISSED';
    rows.push([
      store.name,
      `CPU per request beside ${each.label}, µs`,
      short(median(absolute)),
      `${short(value.median)} × [${short(value.min)} – ${short(value.max)}] of that beside ${fewest.label}`,
      verdict,
    ]);
  }
  return rows;
}

const PAGE_QUERIES = {
  'the newest': '',
  'one tenant': 'tenant=ten_pad7',
  'one tenant that failed': 'tenant=ten_pad0&state=failed',
  'one provider': 'provider=bench-openai',
  'one service': `service=${encodeURIComponent('service 3')}`,
  'one error code': 'error_code=provider_failed',
  'a day of one tenant': () => {
    const day = (ago) => new Date(Date.now() - ago * 86_400_000).toISOString();
    return `tenant=ten_pad9&from=${day(9)}&to=${day(8)}`;
  },
  'fallbacks, of which there are none': 'fallback=true',
};

/** Pages one after the other, by cursor, from the newest on. Returns how long each took, milliseconds. */
async function timesOfPages(admin, query) {
  const filter = typeof query === 'string' ? query : query();
  const times = [];
  let cursor = null;
  for (let page = 0; page < PAGES; page++) {
    const after = cursor === null ? '' : `&cursor=${cursor}`;
    const startedAt = performance.now();
    const answer = await admin('GET', `/audit/records?limit=50&${filter}${after}`);
    times.push(performance.now() - startedAt);
    cursor = answer.next_cursor ?? null;
  }
  return times;
}

async function pageRows(store, { label, admin }) {
  // As for requests: until the code is optimised, it is the compiler that is measured.
  for (let round = 0; round < 4; round++) await timesOfPages(admin, '');
  const rows = [];
  for (const [what, query] of Object.entries(PAGE_QUERIES)) {
    const times = await timesOfPages(admin, query);
    const verdict = options.quick ? '' : percentile(times, 0.95) <= PAGE_MS ? 'must' : 'MISSED';
    rows.push([
      store.name,
      `a page of 50 of ${label}: ${what}, ms`,
      short(median(times)),
      `95 % within ${short(percentile(times, 0.95))} ms`,
      verdict,
    ]);
  }
  return rows;
}

function embedded(upstreamUrl) {
  return {
    name: 'SQLite',
    setUp: async () => {
      const dataDir = join(work, 'template', 'data');
      const keys = await setUpGateway({ dist: options.dist, dataDir, upstreamUrl });
      return { template: dataDir, keys };
    },
    copy: async (template) => sqliteCopy(template, work),
    tearDown: async () => undefined,
  };
}

function postgres(server, upstreamUrl) {
  const name = `bench_scale_${process.pid}`;
  return {
    name: 'PostgreSQL',
    setUp: async () => {
      const env = { DATABASE_URL: await createDatabase(server, name) };
      const dataDir = join(work, 'postgres', 'data');
      return { template: name, keys: await setUpGateway({ dist: options.dist, dataDir, upstreamUrl, env }) };
    },
    copy: (template) => postgresCopy(server, template, work),
    tearDown: (template) => dropDatabase(server, template),
  };
}

async function main() {
  pinSelf(CORE.load);
  const { url: upstreamUrl } = await startUpstream();
  const server = await postgresServer();
  const stores = [embedded(upstreamUrl), ...(server === null ? [] : [postgres(server, upstreamUrl)])];
  const rows = [];
  for (const store of stores) {
    const measured = await measureStore(store);
    // At once: the run is long, and what comes after may fail.
    process.stdout.write(`${markdown(['store', 'figure', 'median', '', 'meets'], measured)}\n\n`);
    rows.push(...measured);
  }
  if (server === null) process.stdout.write('No PostgreSQL was found, so it was not measured.\n');
  return rows.some((row) => row.at(-1) === 'MISSED') ? 1 : 0;
}

main().then(end, fail);
