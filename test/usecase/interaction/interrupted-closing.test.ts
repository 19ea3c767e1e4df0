import { NO_USAGE, type Usage } from '../../../src/domain/interaction/usage';
import type { OpenInteraction, RecordedAttempt } from '../../../src/usecase/port/open-interactions';
import { interruptedClosing } from '../../../src/usecase/interaction/interrupted-closing';

const REPORTED: Usage = {
  inputTokens: 100,
  cachedInputTokens: 20,
  cacheWriteTokens: null,
  outputTokens: 10,
  reasoningTokens: null,
  source: 'provider',
  raw: { prompt_tokens: 100 },
};

function ended(changes: Partial<RecordedAttempt> = {}): RecordedAttempt {
  return {
    number: 1,
    progress: 'ended',
    usage: REPORTED,
    costPico: 1_500_001,
    inputEstimate: null,
    ...changes,
  };
}

const RUNNING: RecordedAttempt = {
  number: 2,
  progress: 'running',
  usage: NO_USAGE,
  costPico: null,
  inputEstimate: null,
};
/** Of a tenant with a wallet. */
const PAID = { ...RUNNING, inputEstimate: { inputTokens: 30, costPico: 2_000_001 } };

function open(
  attempts: readonly RecordedAttempt[],
  reservationMicroUsd: number | null = null,
): OpenInteraction {
  return { requestId: 'req_1', deadlineAtMs: 300_000, reservationMicroUsd, refusals: [], attempts };
}

describe('interrupted closing', () => {
  it('names nobody as having served, and no error', () => {
    expect(interruptedClosing(open([RUNNING]), 400_000)).toEqual({
      requestId: 'req_1',
      state: 'interrupted',
      closedAtMs: 400_000,
      errorCode: null,
      served: null,
      fallbackReason: null,
      refusals: [],
      attempts: 1,
      usage: NO_USAGE,
      costMicroUsd: null,
      lastAttempt: null,
    });
  });

  it.each<[string, readonly RecordedAttempt[], number | null]>([
    ['nothing for no attempt', [], 0],
    ['one attempt, rounded up', [ended()], 2],
    ['two attempts, rounded up once', [ended(), ended()], 4],
    ['unknown while one was running', [ended(), RUNNING], null],
    ['unknown when one is unknown', [ended({ costPico: null }), ended()], null],
    ['the input of one that was running, where it is paid from a wallet', [ended(), PAID], 4],
    ['only what is known of one that ended', [ended({ inputEstimate: PAID.inputEstimate })], 2],
  ])('costs %s', (_, attempts, expected) => {
    expect(interruptedClosing(open(attempts), 400_000).costMicroUsd).toBe(expected);
  });

  it.each([
    ['all that is held if it is unknown', RUNNING, 900],
    ['less if it is known', PAID, 3],
  ])('costs a wallet %s', (_, attempt, expected) => {
    expect(interruptedClosing(open([attempt], 900), 400_000).costMicroUsd).toBe(expected);
  });

  it.each<[string, readonly RecordedAttempt[], Partial<Usage>]>([
    ['no attempt', [], { inputTokens: null, outputTokens: null, source: 'none' }],
    [
      'two that reported',
      [ended(), ended()],
      {
        inputTokens: 200,
        cachedInputTokens: 40,
        cacheWriteTokens: null,
        outputTokens: 20,
        source: 'provider',
      },
    ],
    [
      'one that failed before it used any',
      [ended({ usage: NO_USAGE }), ended()],
      { inputTokens: 100, source: 'provider' },
    ],
    ['one still running', [ended(), RUNNING], { inputTokens: 100, outputTokens: 10, source: 'estimated' }],
    [
      'one still running that is paid',
      [ended(), PAID],
      { inputTokens: 130, outputTokens: 10, source: 'estimated' },
    ],
    [
      'one that was estimated',
      [ended(), ended({ usage: { ...REPORTED, source: 'estimated' } })],
      { inputTokens: 200, source: 'estimated' },
    ],
    [
      'one that reported only its input',
      [ended(), ended({ usage: { ...REPORTED, outputTokens: null } })],
      { inputTokens: 200, outputTokens: 10, source: 'provider' },
    ],
  ])('sums the usage of %s', (_, attempts, expected) => {
    expect(interruptedClosing(open(attempts), 400_000).usage).toMatchObject({ ...expected, raw: null });
  });
});
