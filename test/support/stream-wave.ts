import { request, type IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AnswerBehaviour } from '../../src/infra/simulator/behaviour';
import type { SimulatedProvider } from '../../src/infra/simulator/simulated-provider';
import type { TestGateway } from './gateway';

/** Where a caller leaves: while all streams are held, or so many chunks after they were let go; null: he stays. */
type Leaving = 'held' | number | null;

const HOLDS: readonly AnswerBehaviour['holdAt'][] = ['before_headers', 'headers', 'preamble', 1, 3];
const TEXT = 'one two three four five six seven eight nine ten';
const MODELS = ['gpt-4o-mini', 'claude-haiku-4-5'] as const;

/** Waits without time: until it holds, however many turns that takes. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await nextTurn();
}

/** Marsaglia's xorshift: the same wave for the same seed. */
export function seededDraw(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** So many streams at once, half of them at each provider, of which a third is left by its caller at some point. */
export async function runWave(gateway: TestGateway, count: number, draw: () => number): Promise<void> {
  const providers = [gateway.openai, gateway.anthropic] as const;
  const each = count / providers.length;
  for (const provider of providers) {
    provider.reset();
    provider.enqueue(...Array.from({ length: each }, () => aHeldAnswer(draw)));
  }
  const leavings = shuffled(leavingsOf(count), draw);
  const callers = leavings.map((leaving, index) => new StreamCaller(gateway, MODELS[index % 2]!, leaving));
  await Promise.all(providers.map((provider) => provider.waitForCalls(each)));
  for (const caller of callers) caller.streamsAreHeld();
  const left = leavings.filter((leaving) => leaving === 'held').length;
  await until(() => providers.reduce((sum, { received }) => sum + leftAmong(received), 0) === left);
  providers.forEach((provider) => provider.release());
  await Promise.all(callers.map(({ over }) => over));
  await until(() => providers.every(isIdle));
}

function aHeldAnswer(draw: () => number): AnswerBehaviour {
  return {
    kind: 'answer',
    text: TEXT,
    holdAt: HOLDS[Math.floor(draw() * HOLDS.length)]!,
    chunkDelayMs: 2,
  };
}

function leavingsOf(count: number): Leaving[] {
  const leaving = Math.round(count / 3);
  return Array.from({ length: count }, (_, index) => {
    if (index >= leaving) return null;
    return index % 3 === 0 ? 1 + (index % 4) : 'held';
  });
}

function shuffled<T>(items: T[], draw: () => number): T[] {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const other = Math.floor(draw() * (last + 1));
    [items[last], items[other]] = [items[other]!, items[last]!];
  }
  return items;
}

const leftAmong = (calls: SimulatedProvider['received']): number =>
  calls.filter(({ state }) => state === 'closed_by_peer').length;

function isIdle({ received }: SimulatedProvider): boolean {
  return received.every(({ state }) => state !== 'open');
}

/** One caller with a connection of his own, which nobody uses after him. */
class StreamCaller {
  readonly over: Promise<void>;
  private readonly request;
  private chunks = 0;
  private held = true;

  constructor(
    gateway: TestGateway,
    model: string,
    private readonly leaving: Leaving,
  ) {
    this.request = request(`${gateway.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    });
    this.over = new Promise((resolve) => this.request.on('close', resolve));
    // Who leaves hears of it as an error.
    this.request.on('error', () => undefined);
    this.request.on('response', (response) => this.read(response));
    this.request.end(JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Hi' }] }));
  }

  streamsAreHeld(): void {
    this.held = false;
    if (this.leaving === 'held') this.request.destroy();
  }

  private read(response: IncomingMessage): void {
    response.on('error', () => undefined);
    response.on('data', () => {
      if (this.held || typeof this.leaving !== 'number') return;
      this.chunks += 1;
      if (this.chunks >= this.leaving) this.request.destroy();
    });
  }
}
