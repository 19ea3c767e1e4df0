import * as fc from 'fast-check';
import type { Signal } from '../../../src/domain/resilience/signal';
import type { SettingsInput } from '../../../src/domain/routing/policy-settings';
import type { StoreMood } from '../../support/in-memory-interaction-store';
import {
  aChunk,
  aFailure,
  aFinish,
  anAnswer,
  aPreamble,
  aStatus,
  aUsage,
  END,
} from '../../support/sample-frames';
import type { Behaviour, ScriptedGroup } from '../../support/scripted-provider';

/** Everything that can happen to a few interactions, drawn at random. */
export type Schedule = Readonly<{
  script: Readonly<Record<string, readonly Behaviour[]>>;
  settings: SettingsInput;
  callers: readonly ScheduledCaller[];
  /** What the store does with its writes, in turn; fine after the last. */
  moods: readonly StoreMood[];
  commitMs: number;
  shutdownAfterMs: number | null;
  draws: readonly number[];
}>;

export type ScheduledCaller = Readonly<{
  arrivesAfterMs: number;
  leavesAfterMs: number | null;
  stream: boolean;
  forbidsReplay: boolean;
  timeoutMs: number | null;
  failover: boolean;
  drains: readonly number[];
}>;

const ROUTES = ['oa-1', 'oa-2', 'az', 'an', 'mi'] as const;

const STATUSES = [200, 302, 400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 501, 503, 529];
const CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'CERT_HAS_EXPIRED',
  'UND_ERR_INVALID_ARG',
  'UNKNOWN',
];

/** Short waits are likely, and every limit can be hit. */
const delayMs = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 300 }) },
  { weight: 2, arbitrary: fc.integer({ min: 300, max: 20_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(30_000, 90_000, 120_000, 240_000, 400_000) },
);

const signal: fc.Arbitrary<Signal> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...STATUSES), fc.constantFrom(null, '1', '5', '400'))
    .map(([status, retryAfter]) => aStatus(status, { retryAfter })),
  fc.constantFrom(...CODES).map((code): Signal => ({ kind: 'network', code })),
  fc.constantFrom<Signal>(
    { kind: 'truncated' },
    { kind: 'malformed', what: 'bad_frame' },
    { kind: 'failing_finish', finishReason: 'error' },
    { kind: 'side_effects_unknown', detail: 'pause_turn' },
    { kind: 'local', cause: 'untranslatable', param: 'tools', message: 'not here' },
  ),
);

const frames = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 3, arbitrary: fc.constant([aPreamble()]) },
  { weight: 1, arbitrary: fc.constant([{ ...aPreamble(), sideEffects: true }]) },
  { weight: 5, arbitrary: fc.constant([aChunk('word')]) },
  { weight: 1, arbitrary: fc.constant([aChunk('word', { usage: aUsage(10, 1) })]) },
  { weight: 3, arbitrary: fc.constant([aFinish(), END]) },
  { weight: 2, arbitrary: signal.map((failure) => [aFailure(failure)]) },
  { weight: 1, arbitrary: signal.map((failure) => [aChunk('last words'), aFailure(failure)]) },
);

const groups: fc.Arbitrary<readonly ScriptedGroup[]> = fc.array(
  fc.record({ afterMs: delayMs, frames, inFlight: fc.boolean() }),
  {
    maxLength: 6,
  },
);

const fails: fc.Arbitrary<Behaviour> = fc.tuple(delayMs, signal).map(([afterMs, failure]) => ({
  kind: 'fails',
  afterMs,
  signal: failure,
  status: failure.kind === 'provider_error' ? failure.status : null,
}));

const answers: fc.Arbitrary<Behaviour> = fc.record({
  kind: fc.constant('answers'),
  headersAfterMs: fc.oneof(
    { weight: 9, arbitrary: delayMs },
    { weight: 1, arbitrary: fc.constant(Infinity) },
  ),
  bodyAfterMs: fc.oneof({ weight: 9, arbitrary: delayMs }, { weight: 1, arbitrary: fc.constant(Infinity) }),
  outcome: fc.oneof(
    fc.constant({ kind: 'answer', answer: anAnswer() } as const),
    signal.map((failure) => ({ kind: 'failed', signal: failure }) as const),
  ),
});

const streams: fc.Arbitrary<Behaviour> = fc.record({
  kind: fc.constant('streams'),
  headersAfterMs: fc.oneof(
    { weight: 9, arbitrary: delayMs },
    { weight: 1, arbitrary: fc.constant(Infinity) },
  ),
  groups,
  then: fc.constantFrom('silence', 'nothing', 'nothing', 'defect'),
});

const throws: fc.Arbitrary<Behaviour> = fc.record({
  kind: fc.constant('throws'),
  where: fc.constantFrom('send', 'read'),
  afterMs: delayMs,
});

/** A stream may come where a whole answer was asked for: no adapter does that, but nothing may depend on it. */
const behaviour = fc.oneof(
  { weight: 5, arbitrary: fails },
  { weight: 3, arbitrary: answers },
  { weight: 6, arbitrary: streams },
  { weight: 1, arbitrary: throws },
);

const script = fc
  .subarray([...ROUTES], { minLength: 1 })
  .chain((routes) =>
    fc.record(
      Object.fromEntries(routes.map((route) => [route, fc.array(behaviour, { minLength: 1, maxLength: 4 })])),
    ),
  );

const settings: fc.Arbitrary<SettingsInput> = fc.record({
  commitOn: fc.constantFrom('first_output', 'first_output', 'complete'),
  maxHops: fc.integer({ min: 1, max: 3 }),
  minAttemptMs: fc.constantFrom(1, 1_000),
  maxFallbackCostMultiplier: fc.constantFrom(1, 5, 100),
  retry: fc.record({
    maxRetries: fc.integer({ min: 0, max: 5 }),
    maxRetriesBeforeFallback: fc.integer({ min: 0, max: 2 }),
    baseDelayMs: fc.constantFrom(100, 1_000),
    jitter: fc.constantFrom(0, 0.25, 1),
  }),
  timeouts: fc.record({
    deadlineMs: fc.constantFrom(60_000, 300_000),
    headersMs: fc.constantFrom(5_000, 60_000),
    streamHeadersMs: fc.constantFrom(5_000, 60_000),
    streamGateMs: fc.constantFrom(1_000, 30_000),
    idleMs: fc.constantFrom(5_000, 60_000),
    ttftFailoverMs: fc.option(fc.constantFrom(50, 500, 5_000), { freq: 2 }),
  }),
});

const caller: fc.Arbitrary<ScheduledCaller> = fc.record({
  arrivesAfterMs: fc.oneof(fc.constant(0), delayMs),
  leavesAfterMs: fc.option(delayMs, { freq: 2 }),
  stream: fc.boolean(),
  forbidsReplay: fc.nat({ max: 9 }).map((chance) => chance === 0),
  timeoutMs: fc.option(fc.constantFrom(500, 3_000, 30_000), { freq: 1 }),
  failover: fc.nat({ max: 9 }).map((chance) => chance > 0),
  drains: fc.array(fc.constantFrom(0, 0, 0, 50, 5_000, 100_000, Infinity), { maxLength: 5 }),
});

const mood = fc.oneof(
  { weight: 9, arbitrary: fc.constant<StoreMood>('fine') },
  { weight: 1, arbitrary: fc.constantFrom<StoreMood>('unavailable', 'defect') },
);

export const anySchedule: fc.Arbitrary<Schedule> = fc.record({
  script,
  settings,
  callers: fc.array(caller, { minLength: 1, maxLength: 5 }),
  moods: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(mood, { maxLength: 20 }) },
  ),
  commitMs: fc.constantFrom(0, 0, 3, 50),
  shutdownAfterMs: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: delayMs }),
  draws: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 5 }),
});
