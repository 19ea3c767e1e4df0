import type { JsonObject } from '../../../../src/domain/kernel/json';
import {
  mergeCounters,
  openAiUsage,
  readUsage,
} from '../../../../src/infra/provider/anthropic/anthropic-usage';
import { mergeUsage, NO_USAGE } from '../../../../src/domain/interaction/usage';
import { chunksOf, framesOf, sse, wholeOf } from './read-fixture';

const message = (usage: JsonObject): JsonObject => ({
  type: 'message_start',
  message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-x', content: [], usage },
});
const text = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x' } };
const delta = (usage: JsonObject, reason: string | null = null): JsonObject => ({
  type: 'message_delta',
  delta: { stop_reason: reason },
  usage,
});
const end = { type: 'message_stop' };

describe('usage of one answer (B33)', () => {
  const raw = {
    input_tokens: 40,
    cache_creation_input_tokens: 2_000,
    cache_read_input_tokens: 10_000,
    output_tokens: 100,
  };

  it('adds the disjoint input buckets', () => {
    expect(readUsage(raw)).toEqual({
      inputTokens: 12_040,
      cachedInputTokens: 10_000,
      cacheWriteTokens: 2_000,
      cacheWrite1hTokens: null,
      outputTokens: 100,
      reasoningTokens: null,
      source: 'provider',
      raw,
    });
    expect(openAiUsage(readUsage(raw))).toEqual({
      prompt_tokens: 12_040,
      completion_tokens: 100,
      total_tokens: 12_140,
      prompt_tokens_details: { cached_tokens: 10_000, cache_write_tokens: 2_000 },
    });
  });

  it.each([
    ['counts what was written for an hour', 500, 500],
    ['takes no more for an hour than was written', 2_001, null],
  ])('%s', (_, ephemeral_1h_input_tokens, expected) => {
    const creation = { ephemeral_5m_input_tokens: 1_500, ephemeral_1h_input_tokens };

    const usage = readUsage({ ...raw, cache_creation: creation });

    expect(usage).toMatchObject({ cacheWriteTokens: 2_000, cacheWrite1hTokens: expected });
    expect(usage.raw).toMatchObject({ cache_creation: creation });
  });

  it('is the same streamed and unstreamed', () => {
    const streamed = framesOf(sse(message({ ...raw, output_tokens: 1 }), text, delta(raw, 'end_turn'), end));
    const whole = wholeOf({
      kind: 'json',
      text: JSON.stringify({ content: [{ type: 'text', text: 'x' }], stop_reason: 'end_turn', usage: raw }),
    });

    const counts = { prompt_tokens: 12_040, completion_tokens: 100, total_tokens: 12_140 };
    expect(chunksOf(streamed).at(-1)?.usage).toMatchObject(counts);
    expect(whole).toMatchObject({ answer: { usage: { inputTokens: 12_040 }, body: { usage: counts } } });
  });

  it('shows thinking as reasoning', () => {
    const usage = readUsage({
      input_tokens: 1,
      output_tokens: 50,
      output_tokens_details: { thinking_tokens: 30 },
    });

    expect(usage.reasoningTokens).toBe(30);
    expect(openAiUsage(usage)).toMatchObject({ completion_tokens_details: { reasoning_tokens: 30 } });
  });

  it.each([
    ['no input count', { output_tokens: 5 }, { inputTokens: null, outputTokens: 5, source: 'provider' }],
    ['a negative count', { input_tokens: -1, output_tokens: 5 }, { inputTokens: null }],
    ['a fraction', { input_tokens: 1.5, output_tokens: 5 }, { inputTokens: null }],
    ['a text', { input_tokens: '7', output_tokens: 5 }, { inputTokens: null }],
    [
      'more thinking than output',
      { input_tokens: 1, output_tokens: 5, output_tokens_details: { thinking_tokens: 9 } },
      { reasoningTokens: null },
    ],
    ['nothing known', { foo: 0 }, { inputTokens: null, outputTokens: null, source: 'none' }],
  ])('is null where it can not be: %s', (_name, counters, expected) => {
    expect(readUsage(counters)).toMatchObject(expected);
  });

  it('is absent without counters', () => {
    expect(readUsage(null)).toEqual(NO_USAGE);
    expect(openAiUsage(readUsage({ output_tokens: 5 }))).toBeNull();
  });
});

describe('usage of a stream (B34)', () => {
  const expected = {
    prompt_tokens: 580,
    completion_tokens: 41,
    total_tokens: 621,
    prompt_tokens_details: { cached_tokens: 500, cache_write_tokens: 0 },
  };
  const final = { input_tokens: 80, cache_read_input_tokens: 500, output_tokens: 41 };

  it.each([
    [
      'restated at the end',
      [
        message({ ...final, output_tokens: 2 }),
        text,
        delta({ output_tokens: 30 }),
        text,
        delta(final, 'end_turn'),
        end,
      ],
    ],
    [
      'zeros at the start',
      [
        message({ input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 }),
        text,
        delta(final, 'end_turn'),
        end,
      ],
    ],
    [
      'output alone at the end',
      [message({ ...final, output_tokens: 2 }), text, delta({ output_tokens: 41 }, 'end_turn'), end],
    ],
    [
      'nulls at the end',
      [
        message({ ...final, output_tokens: 2 }),
        text,
        delta({ input_tokens: null, output_tokens: 41 }, 'end_turn'),
        end,
      ],
    ],
  ] as const)('is never a sum: %s', (_name, events) => {
    const frames = framesOf(sse(...events));

    expect(chunksOf(frames).at(-1)?.usage).toEqual(expected);
    const ledger = frames.reduce(
      (usage, frame) =>
        frame.kind === 'chunk' && frame.usage !== null ? mergeUsage(usage, frame.usage) : usage,
      NO_USAGE,
    );
    expect(ledger).toMatchObject({
      inputTokens: 580,
      cachedInputTokens: 500,
      outputTokens: 41,
      source: 'provider',
    });
  });

  it('takes an explicit 0 as a value', () => {
    expect(
      mergeCounters({ input_tokens: 5, cache_read_input_tokens: 7 }, { cache_read_input_tokens: 0 }),
    ).toEqual({
      input_tokens: 5,
      cache_read_input_tokens: 0,
    });
  });

  it('keeps what was counted where the stream breaks', () => {
    const frames = framesOf(
      sse(message({ ...final, output_tokens: 2 }), text, delta({ output_tokens: 30 }), text),
    );

    expect(
      frames.flatMap((frame) => (frame.kind === 'chunk' && frame.usage ? [frame.usage.outputTokens] : [])),
    ).toEqual([2, 30]);
    expect(frames.at(-1)).toEqual({ kind: 'failure', signal: { kind: 'truncated' } });
  });

  it('keeps members that it does not know as evidence', () => {
    const raw = mergeCounters(
      { input_tokens: 1 },
      { server_tool_use: { web_search_requests: 2 }, output_tokens: 3 },
    );

    expect(readUsage(raw).raw).toEqual({
      input_tokens: 1,
      output_tokens: 3,
      server_tool_use: { web_search_requests: 2 },
    });
  });
});
