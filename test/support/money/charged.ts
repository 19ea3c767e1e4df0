import type { AttemptRow } from '../../../src/infra/store/attempt-row';
import { HAIKU_PRICE, MINI_PRICE } from '../gateway-catalog';
import { grouped } from './grouped';
import type { ProviderCall } from './provider-call';
import type { SeenInteraction } from './stored-interactions';

type Price = typeof MINI_PRICE & Partial<typeof HAIKU_PRICE>;

const PRICES: Readonly<Record<string, Price>> = { openai: MINI_PRICE, anthropic: HAIKU_PRICE };

export function priceAt(provider: string): Price {
  return PRICES[provider]!;
}

const NO_CACHE = { read: 0, written: 0 };

/** What a provider charges for its call; pico-USD, exact. */
export function chargedPico({ provider, charge, cache = NO_CACHE }: ProviderCall): number {
  if (charge === null) return 0;
  const { input, output, cached_input: read, cache_write: written = input } = priceAt(provider);
  const plain = charge.inputTokens - cache.read - cache.written;
  return plain * input + cache.read * read + cache.written * written + charge.outputTokens * output;
}

/** The calls by the attempts that made them. */
export type Matched = Readonly<{
  /** Undefined: the provider never got it. */
  callOf: (attempt: AttemptRow) => ProviderCall | undefined;
  /** Calls that no attempt on record accounts for. */
  strays: readonly ProviderCall[];
  /** Calls of which the record says another provider's id, or that share one attempt. */
  confused: readonly ProviderCall[];
}>;

export function matchCalls(
  calls: readonly ProviderCall[],
  interactions: readonly SeenInteraction[],
): Matched {
  const recordsOf = grouped(interactions, ({ tag }) => tag);
  const found = new Map<string, ProviderCall>();
  const strays: ProviderCall[] = [];
  const confused: ProviderCall[] = [];
  for (const call of calls) {
    const attempt = attemptOf(
      call,
      (recordsOf.get(call.tag) ?? []).flatMap(({ attempts }) => attempts),
    );
    if (attempt === undefined) strays.push(call);
    else if (found.has(placeOf(attempt)) || saysAnother(attempt, call)) confused.push(call);
    else found.set(placeOf(attempt), call);
  }
  return { callOf: (attempt) => found.get(placeOf(attempt)), strays, confused };
}

/**
 * OpenAI is told our id. The Messages API takes none: there it's the last attempt that had begun when the call came, for a
 * case never has two that run.
 */
function attemptOf(call: ProviderCall, attempts: readonly AttemptRow[]): AttemptRow | undefined {
  if (call.clientRequestId !== '') {
    return attempts.find((attempt) => call.clientRequestId === placeOf(attempt));
  }
  return attempts
    .filter((attempt) => attempt.provider === call.provider && attempt.started_at <= call.atMs)
    .sort((one, other) => one.started_at - other.started_at || (placeOf(one) < placeOf(other) ? -1 : 1))
    .at(-1);
}

function saysAnother({ upstream_request_id: id }: AttemptRow, call: ProviderCall): boolean {
  return id !== null && id !== call.requestId;
}

function placeOf({ request_id, number }: AttemptRow): string {
  return `${request_id}-${number}`;
}
