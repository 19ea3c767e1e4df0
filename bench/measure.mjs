/** Runs every measurement: paired slices of about a second, limit and gateway in turn, so that a busy machine slows both. */
import { spawnSync } from 'node:child_process';
import { auditFigures } from './audit.mjs';
import { firstAnswer, pace, saturate, StreamClient } from './load.mjs';
import { microFigures } from './micro.mjs';
import { stop } from './processes.mjs';
import { median, percentile } from './statistics.mjs';
import { cpuUs, residentMb, watchMemory } from './usage.mjs';
import { CHUNKS } from './workload.mjs';

const FULL = {
  pairs: 9,
  warmRequests: 10_000,
  streamCounts: [100, 500, 1_000],
  translatedCount: 500,
  coldPairs: 8,
  micro: 4_000,
};
const QUICK = {
  pairs: 2,
  warmRequests: 500,
  streamCounts: [50],
  translatedCount: 50,
  coldPairs: 1,
  micro: 200,
};
/** How long a slice shall last, where a number of requests decides it. */
const SLICE_SECONDS = { full: 1, quick: 0.3 };

/** What `--only` can name. Cold starts have the machine to themselves. */
const PARTS = { requests, latencies, streams, translatedStreams, coldStarts, audit };

/** @returns raw samples by name; the n-th of each list belong to the same pair */
export async function measureAll(setting, { quick, only, dist }) {
  const parts = only === undefined ? Object.values(PARTS) : [PARTS[only]];
  if (parts.includes(undefined)) throw new Error(`--only takes one of ${Object.keys(PARTS).join(', ')}`);
  const size = quick ? QUICK : FULL;
  const limit = await setting.newLimit();
  const gateway = await setting.newGateway();
  await firstAnswer(limit);
  await firstAnswer(gateway);
  const run = {
    ...{ setting, limit, gateway, size, failures: 0 },
    sliceSeconds: quick ? SLICE_SECONDS.quick : SLICE_SECONDS.full,
    samples: { restMb: [pairOf(residentMb(limit.pid), residentMb(gateway.pid))] },
  };
  for (const part of parts) {
    settleDisk();
    await part(run);
  }
  await stop(limit);
  await stop(gateway, 'SIGTERM');
  const micro = microFigures(dist, size.micro);
  const { samples, failures, auditWrites } = run;
  return { samples, failures, auditWrites, micro, streamCounts: size.streamCounts };
}

/** What a part has left to be written back would be written while the next one waits for its flushes. */
function settleDisk() {
  spawnSync('sync');
}

const pairOf = (limit, gateway) => ({ limit, gateway });

/** One pair of slices; who goes first changes every time. */
async function paired(run, index, slice) {
  const order = index % 2 === 0 ? ['limit', 'gateway'] : ['gateway', 'limit'];
  const pair = {};
  for (const name of order) pair[name] = await slice(run[name], name);
  return pair;
}

/** A slice, the CPU time that the process used meanwhile, and what failed in it. */
async function withCpu(run, target, slice) {
  const before = cpuUs(target.pid);
  const result = await slice();
  run.failures += result.failures;
  return { ...result, cpuUs: cpuUs(target.pid) - before };
}

async function requests(run) {
  const { size, samples } = run;
  const amounts = {};
  for (const name of ['limit', 'gateway']) {
    // Twice: the first half of it is slow, until the code is optimised.
    await withCpu(run, run[name], () => saturate(run[name], size.warmRequests));
    const { seconds } = await withCpu(run, run[name], () => saturate(run[name], size.warmRequests));
    amounts[name] = Math.max(64, Math.round((size.warmRequests / seconds) * run.sliceSeconds));
  }
  samples.requestCpuUs = [];
  samples.requestsPerSecond = [];
  for (let index = 0; index < size.pairs; index++) {
    const pair = await paired(run, index, (target, name) =>
      withCpu(run, target, () => saturate(target, amounts[name])),
    );
    samples.requestCpuUs.push(each(pair, ({ cpuUs: used }, name) => used / amounts[name]));
    samples.requestsPerSecond.push(each(pair, ({ seconds }, name) => amounts[name] / seconds));
  }
}

function each(pair, figure) {
  return pairOf(figure(pair.limit, 'limit'), figure(pair.gateway, 'gateway'));
}

async function latencies(run) {
  for (const [name, perSecond, share] of [
    ['addedP50Ms', 200, 0.5],
    ['addedP99Ms', 1_000, 0.99],
  ]) {
    const samples = (run.samples[name] = []);
    const timed = async (target) => {
      const { times, failures } = await pace(target, { perSecond, seconds: 1 });
      run.failures += failures;
      return percentile(times, share);
    };
    await timed(run.setting.direct);
    for (let index = 0; index < run.size.pairs; index++) {
      const direct = await timed(run.setting.direct);
      samples.push(each(await paired(run, index, timed), (time) => time - direct));
    }
  }
}

async function streams(run) {
  for (const count of run.size.streamCounts) await streamsOf(run, count);
}

async function streamsOf(run, count) {
  const clients = {
    direct: new StreamClient(run.setting.direct, { timing: 'timed' }),
    limit: new StreamClient(run.limit, { timing: 'timed' }),
    gateway: new StreamClient(run.gateway, { timing: 'timed' }),
  };
  const samples = { cpu: [], rate: [], delay: [], peak: [] };
  for (const name of ['direct', 'limit', 'gateway']) await clients[name].run(count);
  for (let index = 0; index < run.size.pairs; index++) {
    const direct = await delayOf(clients.direct, () => clients.direct.run(count));
    const pair = await paired(run, index, (target, name) => streamSlice(run, target, clients[name], count));
    samples.cpu.push(each(pair, ({ cpuUs: used }) => used / (count * CHUNKS)));
    samples.rate.push(each(pair, ({ seconds }) => (count * CHUNKS) / seconds));
    samples.delay.push(each(pair, ({ delayMs }) => delayMs - direct.delayMs));
    samples.peak.push(each(pair, ({ peakMb }) => peakMb));
  }
  for (const client of Object.values(clients)) client.close();
  Object.assign(run.samples, {
    [`chunkCpuUs${count}`]: samples.cpu,
    [`chunksPerSecond${count}`]: samples.rate,
    [`chunkDelayMs${count}`]: samples.delay,
    [`peakMb${count}`]: samples.peak,
  });
}

async function streamSlice(run, target, client, count) {
  const memory = watchMemory(target.pid);
  const result = await delayOf(client, () => withCpu(run, target, () => client.run(count)));
  return { ...result, peakMb: memory.stop() };
}

/** Median time from the upstream's write of a chunk to its arrival. */
async function delayOf(client, slice) {
  client.delays = [];
  const result = await slice();
  return { ...result, delayMs: median(client.delays) };
}

/** The gateway against itself: an Anthropic upstream beside an OpenAI one. */
async function translatedStreams(run) {
  const { gateway, size } = run;
  const count = size.translatedCount;
  const clients = {
    untranslated: new StreamClient(gateway),
    translated: new StreamClient(gateway, { wire: 'translated' }),
  };
  const samples = (run.samples.translatedCpuUs = []);
  for (const client of Object.values(clients)) await client.run(count);
  for (let index = 0; index < size.pairs; index++) {
    const used = {};
    for (const name of index % 2 === 0 ? ['untranslated', 'translated'] : ['translated', 'untranslated']) {
      const slice = await withCpu(run, gateway, () => clients[name].run(count));
      used[name] = slice.cpuUs / (count * CHUNKS);
    }
    samples.push(pairOf(used.untranslated, used.translated));
  }
  for (const client of Object.values(clients)) client.close();
}

async function audit(run) {
  const { work, dist } = run.setting;
  run.auditWrites = await auditFigures({ dist, work, quick: run.size === QUICK });
}

async function coldStarts(run) {
  const { setting, size } = run;
  const samples = (run.samples.coldStartMs = []);
  // The first one reads everything from disk, so it doesn't count.
  for (let index = -1; index < size.coldPairs; index++) {
    const limit = await coldStart(setting.newLimit);
    const gateway = await coldStart(setting.newColdGateway);
    if (index >= 0) samples.push(pairOf(limit, gateway));
  }
}

async function coldStart(startOne) {
  const started = await startOne();
  const ms = await firstAnswer(started);
  await stop(started, 'SIGKILL');
  return ms;
}
