import 'reflect-metadata';
import { getEventListeners } from 'node:events';
import { TOKEN } from '../../src/container/token';
import { UPSTREAM_LIMITS, UpstreamTransport } from '../../src/infra/provider/transport/upstream-transport';
import { TestGateway } from './gateway';
import { runWave, seededDraw, until } from './stream-wave';

/** What a process holds on to. */
export type Holdings = Readonly<{
  /** Sockets, servers, timers and whatever else keeps the event loop alive; sorted. */
  resources: readonly string[];
  upstreamSockets: number;
  shutdownListeners: number;
  memoryBytes: number;
}>;

export type Measured = Readonly<{
  before: Holdings;
  after: Holdings;
  states: Readonly<Record<string, number>>;
}>;

const STREAMS = 500;
const WAVES = 2;
const PAGE = 200;
/** An idle connection to a provider is no leak, but it would have to be waited for. */
const SHORT_KEEPING = { ...UPSTREAM_LIMITS, keepAliveMs: 200 };

// Runs in a process of its own, since a test runner's heap grows for reasons of its own. Needs --expose-gc.
async function measure(): Promise<Measured> {
  let shutdown = new AbortController().signal;
  const gateway = await TestGateway.start({
    overrides: (container) => {
      container.register(UpstreamTransport, { useValue: new UpstreamTransport(SHORT_KEEPING) });
      shutdown = container.resolve(TOKEN.shutdown);
    },
  });
  const draw = seededDraw(20_261_130);
  const resting = resources();
  // The first wave loads code and fills pools that stay as large as they are.
  await runWave(gateway, STREAMS, draw);
  const before = await holdings(gateway, shutdown, resting);
  for (let wave = 0; wave < WAVES; wave += 1) await runWave(gateway, STREAMS, draw);
  const after = await holdings(gateway, shutdown, resting);
  const states = await statesOf(gateway);
  await gateway.stop();
  return { before, after, states };
}

async function holdings(
  gateway: TestGateway,
  shutdown: AbortSignal,
  resting: readonly string[],
): Promise<Holdings> {
  // Whatever never comes back is a leak, and the test ends by its own limit.
  await until(() => resources().length <= resting.length);
  gateway.openai.reset();
  gateway.anthropic.reset();
  // Only this test reads them, and not at all.
  (gateway.logLines as string[]).length = 0;
  for (let round = 0; round < 4; round += 1) await collected();
  const { heapUsed, external } = process.memoryUsage();
  return {
    resources: resources(),
    upstreamSockets: gateway.openai.openConnections + gateway.anthropic.openConnections,
    shutdownListeners: getEventListeners(shutdown, 'abort').length,
    memoryBytes: heapUsed + external,
  };
}

/** A read or write of a file under way ends by itself; a worker of the gateway looks into the spool every second. */
const resources = (): readonly string[] =>
  process
    .getActiveResourcesInfo()
    .filter((resource) => !resource.startsWith('FSReq'))
    .sort();

/** What finalizers and closed handles still hold is free after the next turns only. */
async function collected(): Promise<void> {
  globalThis.gc!();
  for (let turn = 0, seen = false; turn < 10; turn += 1) await until(() => (seen = !seen));
}

async function statesOf(gateway: TestGateway): Promise<Record<string, number>> {
  const states: Record<string, number> = {};
  for (let cursor = ''; ;) {
    const { body } = await gateway.admin('GET', `/audit/records?limit=${PAGE}${cursor}`);
    for (const { state } of body['data']!) states[String(state)] = (states[String(state)] ?? 0) + 1;
    if (body['next_cursor'] === null) return states;
    cursor = `&cursor=${String(body['next_cursor'])}`;
  }
}

void measure().then((measured) => process.stdout.write(JSON.stringify(measured)));
