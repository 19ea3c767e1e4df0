/**
 * `npm run bench:leaks`: 100,000 requests and 10,000 streams, a tenth of each cancelled; what is on the heap after a collection
 * may be 5 % more than after the first tenth, and no handle may be left (PERFORMANCE). `--quick`: a twentieth of it.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { end, fail } from './database.mjs';
import { freePort, setUpGateway, startGateway } from './gateway.mjs';
import { firstAnswer, headOf, saturate, StreamClient } from './load.mjs';
import { CORE, endEverythingOnExit, pinSelf } from './processes.mjs';
import { markdown } from './report.mjs';
import { startUpstream } from './upstream.mjs';

const here = import.meta.dirname;
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    dist: { type: 'string', default: join(here, '../dist') },
  },
});
const ROUNDS = 10;
const REQUESTS = options.quick ? 450 : 9_000;
const STREAMS = options.quick ? 45 : 900;
const CANCELLED_REQUESTS = REQUESTS / 9;
const CANCELLED_STREAMS = STREAMS / 9;
const AT_ONCE = options.quick ? 45 : 100;
const MOST_MORE = 1.05;
const MB = 1024 * 1024;

const work = mkdtempSync(join(tmpdir(), 'schneeai-leaks-'));
endEverythingOnExit(() => rmSync(work, { recursive: true, force: true }));

/** Sends a request and hangs up: at once, or when the first bytes of the answer are there. */
function cancelled(target, stream) {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(target.url).port), '127.0.0.1');
    socket.once('connect', () => {
      socket.write(headOf(target, { stream }));
      if (!stream) setTimeout(() => socket.destroy(), 1);
    });
    socket.once('data', () => socket.destroy());
    socket.once('error', () => socket.destroy()).once('close', resolve);
  });
}

async function inGroups(amount, one) {
  for (let done = 0; done < amount; done += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, amount - done) }, one));
  }
}

async function round(target) {
  const { failures } = await saturate(target, REQUESTS);
  const streams = new StreamClient(target);
  let failed = failures;
  for (let done = 0; done < STREAMS; done += AT_ONCE) failed += (await streams.run(AT_ONCE)).failures;
  streams.close();
  await inGroups(CANCELLED_REQUESTS, () => cancelled(target, false));
  await inGroups(CANCELLED_STREAMS, () => cancelled(target, true));
  if (failed > 0) throw new Error(`${failed} requests or streams failed.`);
}

/** What is left when nobody is connected any more. */
async function measured(gateway) {
  const before = readings(gateway).length;
  await new Promise((settled) => setTimeout(settled, 2_000));
  process.kill(gateway.pid, 'SIGUSR2');
  while (readings(gateway).length === before) await new Promise((next) => setTimeout(next, 50));
  return readings(gateway).at(-1);
}

function readings({ log }) {
  const lines = readFileSync(log, 'utf8').matchAll(/^leak-probe (.+)$/gm);
  return [...lines].map(([, json]) => JSON.parse(json));
}

async function main() {
  pinSelf(CORE.load);
  const { url: upstreamUrl } = await startUpstream();
  const dataDir = join(work, 'gateway', 'data');
  const { dist } = options;
  const { app } = await setUpGateway({ dist, dataDir, upstreamUrl });
  const nodeArgs = ['--expose-gc', '-r', join(here, 'leak-probe.cjs')];
  const gateway = startGateway({ dist, dataDir, port: await freePort(), nodeArgs, stderr: 'log' });
  const target = { ...gateway, key: app };
  await firstAnswer(target);
  const rows = [];
  for (let count = 1; count <= ROUNDS; count++) {
    await round(target);
    rows.push({ count, ...(await measured(gateway)) });
  }
  const cells = rows.map(({ count, heapUsed, external, rss, handles }) => [
    (count * (REQUESTS + CANCELLED_REQUESTS)).toLocaleString('en'),
    (count * (STREAMS + CANCELLED_STREAMS)).toLocaleString('en'),
    ((heapUsed + external) / MB).toFixed(1),
    (rss / MB).toFixed(0),
    String(handles),
  ]);
  const heads = ['requests', 'streams', 'heap after a collection, MB', 'resident, MB', 'handles'];
  process.stdout.write(`${markdown(heads, cells)}\n`);
  const [first, last] = [rows[0], rows.at(-1)];
  const grown = (last.heapUsed + last.external) / (first.heapUsed + first.external);
  process.stdout.write(`\nheap: ${grown.toFixed(3)} × that after the first tenth (allowed ${MOST_MORE})\n`);
  // A timer or two come and go; what is left behind is left by every round.
  const early = Math.max(...rows.slice(0, ROUNDS / 2).map(({ handles }) => handles));
  return grown <= MOST_MORE && last.handles <= early ? 0 : 1;
}

main().then((status) => end(options.quick ? 0 : status), fail);
