import { failedUsage, servedUsage, inputEstimateOf } from '../../../src/domain/interaction/usage-estimate';
import { aPrice, PLAIN_NEEDS } from '../../support/sample-catalog';
import { NO_USAGE } from '../../../src/domain/interaction/usage';
import { classify } from '../../../src/domain/resilience/fault';
import type { Stage } from '../../../src/domain/resilience/fault';
import type { Signal } from '../../../src/domain/resilience/signal';
import { aStatus, aUsage } from '../../support/sample-frames';

const GONE = { kind: 'aborted', by: 'caller_gone' } as const;
const DEADLINE: Signal = { kind: 'aborted', by: 'deadline' };

const fault = (signal: Signal, stage: Stage): ReturnType<typeof classify> =>
  classify(signal, { stage, nowMs: 0 });

describe('the usage of a complete answer', () => {
  it.each([
    { name: 'is what the provider reported', reported: aUsage(12, 7), chars: 400, expected: aUsage(12, 7) },
    {
      name: 'is estimated where nothing was reported',
      reported: NO_USAGE,
      chars: 400,
      expected: aUsage(50, 100, { source: 'estimated' }),
    },
    {
      name: 'counts a begun token whole',
      reported: NO_USAGE,
      chars: 1,
      expected: aUsage(50, 1, { source: 'estimated' }),
    },
    {
      name: 'is estimated as nothing where nothing was said',
      reported: NO_USAGE,
      chars: 0,
      expected: aUsage(50, 0, { source: 'estimated' }),
    },
    {
      name: 'keeps a reported input',
      reported: aUsage(12, 0, { outputTokens: null }),
      chars: 8,
      expected: aUsage(12, 2, { source: 'estimated' }),
    },
    {
      name: 'keeps a reported output',
      reported: aUsage(0, 7, { inputTokens: null }),
      chars: 8,
      expected: aUsage(50, 7, { source: 'estimated' }),
    },
    { name: 'takes a reported 0 for a count', reported: aUsage(12, 0), chars: 400, expected: aUsage(12, 0) },
  ])('$name', ({ reported, chars, expected }) => {
    expect(servedUsage({ reported, estimatedInputTokens: 50, outputChars: chars })).toEqual(expected);
  });
});

describe('the usage of an attempt that broke off', () => {
  it.each([
    {
      name: 'a plain error is not billed',
      fault: fault(aStatus(503), 'before_headers'),
      reported: NO_USAGE,
      chars: 0,
      expected: NO_USAGE,
    },
    {
      name: 'a failing frame before any output is not billed',
      fault: fault(aStatus(529), 'before_output'),
      reported: NO_USAGE,
      chars: 0,
      expected: NO_USAGE,
    },
    {
      name: 'a 200 that is no answer is not billed',
      fault: fault({ kind: 'malformed', what: 'not_json' }, 'before_output'),
      reported: NO_USAGE,
      chars: 0,
      expected: NO_USAGE,
    },
    // A tenant's bill said 0 for a whole answer of which the second half was lost on its way; the provider's didn't.
    {
      name: 'a connection that broke after the headers costs the input',
      fault: fault({ kind: 'network', code: 'ECONNRESET' }, 'before_output'),
      reported: NO_USAGE,
      chars: 0,
      expected: aUsage(50, 0, { source: 'estimated' }),
    },
    {
      name: 'an answer that ended too early costs the input',
      fault: fault({ kind: 'truncated' }, 'before_output'),
      reported: NO_USAGE,
      chars: 0,
      expected: aUsage(50, 0, { source: 'estimated' }),
    },
    {
      name: 'a connection that broke before the headers is free',
      fault: fault({ kind: 'network', code: 'ECONNRESET' }, 'before_headers'),
      reported: NO_USAGE,
      chars: 0,
      expected: NO_USAGE,
    },
    {
      name: 'a caller who left before anything was sent is free',
      fault: fault({ ...GONE, sent: 'no' }, 'before_headers'),
      reported: NO_USAGE,
      chars: 0,
      expected: NO_USAGE,
    },
    // A provider had answered and billed, and its headers met a caller who had just hung up: it was 0 on our side.
    {
      name: 'a caller who left before the headers pays the input',
      fault: fault(GONE, 'before_headers'),
      reported: NO_USAGE,
      chars: 0,
      expected: aUsage(50, 0, { source: 'estimated' }),
    },
    {
      name: 'a deadline before the headers is free',
      fault: fault(DEADLINE, 'before_headers'),
      reported: NO_USAGE,
      chars: 0,
      expected: NO_USAGE,
    },
    {
      name: 'a caller who left after the headers pays the input',
      fault: fault(GONE, 'before_output'),
      reported: NO_USAGE,
      chars: 0,
      expected: aUsage(50, 0, { source: 'estimated' }),
    },
    {
      name: 'a deadline after the headers costs the input',
      fault: fault(DEADLINE, 'before_output'),
      reported: NO_USAGE,
      chars: 0,
      expected: aUsage(50, 0, { source: 'estimated' }),
    },
    {
      name: 'a caller who left in mid-stream pays what was said',
      fault: fault(GONE, 'after_output'),
      reported: NO_USAGE,
      chars: 9,
      expected: aUsage(50, 3, { source: 'estimated' }),
    },
    {
      name: 'a break in mid-stream costs what was said',
      fault: fault(aStatus(529), 'after_output'),
      reported: NO_USAGE,
      chars: 9,
      expected: aUsage(50, 3, { source: 'estimated' }),
    },
    {
      name: 'held output that was discarded is billed too',
      fault: fault(aStatus(529), 'before_output'),
      reported: NO_USAGE,
      chars: 9,
      expected: aUsage(50, 3, { source: 'estimated' }),
    },
    {
      name: 'usage reported at the start counts less than what was said',
      fault: fault(GONE, 'after_output'),
      reported: aUsage(580, 2),
      chars: 40,
      expected: aUsage(580, 10, { source: 'estimated' }),
    },
    {
      name: 'usage reported late counts more than the characters',
      fault: fault(GONE, 'after_output'),
      reported: aUsage(580, 41),
      chars: 40,
      expected: aUsage(580, 41, { source: 'estimated' }),
    },
    {
      name: 'reported usage without any output is billed',
      fault: fault(aStatus(529), 'before_output'),
      reported: aUsage(580, 0),
      chars: 0,
      expected: aUsage(580, 0, { source: 'estimated' }),
    },
  ])('$name', ({ fault: given, reported, chars, expected }) => {
    expect(failedUsage(given, { reported, estimatedInputTokens: 50, outputChars: chars })).toEqual(expected);
  });
});

describe('what an attempt is charged of which only the start is known', () => {
  const needs = (estimatedInputTokens: number) => ({ ...PLAIN_NEEDS, estimatedInputTokens });
  const price = aPrice(1_000_000_000_000, 0);

  it.each([
    ['its input at its price', price, 9_007, { inputTokens: 9_007, costPico: 9_007_000_000_000_000 }],
    ['unknown beyond what is exact', price, 9_008, null],
    ['unknown without a price', null, 1, null],
  ])('is %s', (_name, ofRoute, tokens, expected) => {
    expect(inputEstimateOf({ price: ofRoute }, needs(tokens))).toEqual(expected);
  });
});
