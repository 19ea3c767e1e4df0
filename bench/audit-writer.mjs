/**
 * Writes audit records as the gateway does, at a steady rate, and prints what that cost: `node audit-writer.mjs <dist>
 * <data folder> <per second> <seconds>`. The stores are the product's own, the spool and the metrics around them included.
 * What the clockwork itself costs (timers, made-up records) is measured without a store and taken off.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [dist, dataDir, perSecond, seconds] = process.argv.slice(2);
const load = (path) => createRequire(import.meta.url)(join(dist, 'modules', path));
load('../../node_modules/reflect-metadata');
const { readConfig } = load('infra/config/config.js');
const { openStore } = load('container/open-store.js');
const { TOKEN } = load('container/token.js');
const { NO_USAGE } = load('domain/interaction/usage.js');
const pino = load('../../node_modules/pino');

/** How many interactions of ten have a failed attempt before the one that serves: 1.3 attempts each. */
const RETRIED_OF_TEN = 3;
const TICK_MS = 1;
/** Until V8 has optimised what runs once in a commit, of which there are 100 to 200 a second. */
const WARM_SECONDS = 20;
/** What a provider takes at least and at most: so openings and closings of different interactions meet in one commit, as they do in the gateway. */
const PROVIDER_MS = [50, 150];

const channel = { id: 'bench', provider: 'bench', kind: 'openai', region: 'us', group: 'default' };
const price = { input: 150_000, output: 600_000, cachedInput: 75_000, cacheWrite: null };
const names = { provider: 'bench', model: 'bench-model', upstreamName: 'bench-model-2026' };
const route = { id: 'bench:bench-model', channel, price, contract: {}, enabled: true, ...names };
const usage = {
  ...NO_USAGE,
  inputTokens: 400,
  outputTokens: 120,
  source: 'provider',
  raw: { total_tokens: 520 },
};
const fault = {
  ...{ class: 'server_error', stage: 'before_headers', code: 'overloaded', status: 503, retryAfterMs: null },
  ...{
    retryable: true,
    accountEvidence: false,
    requestSent: 'yes',
    abortedBy: null,
    providerError: null,
    param: null,
  },
};

const startOf = (number, action, startedAtMs) => ({
  ...{ number, action, route, startedAtMs, backoffMs: 0, trial: false },
});

const endOf = (start, outcome, status) => ({
  ...start,
  ...{
    headersAtMs: start.startedAtMs + 20,
    firstOutputAtMs: null,
    endedAtMs: start.startedAtMs + 30,
    status,
  },
  ...{ upstreamRequestId: `up-${start.number}`, outcome, usage, costPico: 132_000_000, ignoredParams: [] },
});

function openingOf(requestId, nowMs, firstAttempt) {
  return {
    ...{ requestId, billableId: requestId, tenant: 'bench', apiKey: 'key_bench', openedAtMs: nowMs },
    ...{ deadlineAtMs: nowMs + 300_000, requestedModel: 'bench-model', stream: false, canary: false },
    ...{ policy: { name: 'bench', version: 3 }, refusals: [], service: 'bench', feature: null, pii: null },
    planned: [{ id: route.id, provider: route.provider, model: route.model }],
    ...{ parentRequestId: null, clientRetryCount: null, idempotency: null, reservationMicroUsd: null },
    firstAttempt,
  };
}

function closingOf(requestId, nowMs, lastAttempt) {
  const served = { route: route.id, ...names };
  return {
    ...{ requestId, state: 'served', closedAtMs: nowMs, errorCode: null, served, fallbackReason: null },
    ...{ refusals: [], attempts: lastAttempt.number, usage, costMicroUsd: 132, lastAttempt },
  };
}

async function interaction(store, requestId, retried) {
  const nowMs = Date.now();
  let attempt = startOf(1, 'initial', nowMs);
  await store.open(openingOf(requestId, nowMs, attempt));
  const [least, most] = PROVIDER_MS;
  await new Promise((answered) => setTimeout(answered, least + Math.random() * (most - least)));
  if (retried) {
    const next = startOf(2, 'retry', nowMs);
    await store.advance(requestId, endOf(attempt, { kind: 'failed', fault }, 503), next, null);
    attempt = next;
  }
  const ended = endOf(attempt, { kind: 'served', finishReason: 'stop' }, 200);
  await store.close(closingOf(requestId, Date.now(), ended));
}

/** Starts what is due, and waits for the last one. */
async function write(store, ids, amount) {
  const startedAt = performance.now();
  const running = [];
  for (let begun = 0; begun < amount;) {
    const due = Math.min(amount, Math.floor(((performance.now() - startedAt) * perSecond) / 1_000));
    for (; begun < due; begun++)
      running.push(interaction(store, ids.next('req'), begun % 10 < RETRIED_OF_TEN));
    await new Promise((next) => setTimeout(next, TICK_MS));
  }
  await Promise.all(running);
  return (performance.now() - startedAt) / 1_000;
}

/** The share of a core that this process uses for it, and the seconds that it takes. */
async function shareOf(work) {
  const before = process.cpuUsage();
  const took = await work();
  const { user, system } = process.cpuUsage(before);
  return { coreShare: (user + system) / 1e6 / took, took };
}

const NO_STORE = {
  open: () => Promise.resolve(),
  advance: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

const environment = { SCHNEEAI_DATA_DIR: dataDir, DATABASE_URL: process.env.DATABASE_URL };
const config = readConfig(environment);
const store = await openStore(config.value, pino({ level: 'silent' }));
const interactions = store.container.resolve(TOKEN.interactions);
const ids = store.container.resolve(TOKEN.ids);
await write(interactions, ids, (seconds > 1 ? WARM_SECONDS : 1) * perSecond);
const clockwork = await shareOf(() => write(NO_STORE, ids, perSecond * seconds));
const writing = await shareOf(() => write(interactions, ids, perSecond * seconds));
await store.close();
process.stdout.write(
  `${JSON.stringify({
    coreShare: writing.coreShare - clockwork.coreShare,
    clockworkShare: clockwork.coreShare,
    perSecond: (perSecond * seconds) / writing.took,
  })}\n`,
);
