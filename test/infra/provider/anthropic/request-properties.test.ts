import * as fc from 'fast-check';
import type { ModelContract } from '../../../../src/domain/catalog/model-contract';
import type { JsonObject, JsonValue } from '../../../../src/domain/kernel/json';
import { anthropicRequestFault } from '../../../../src/infra/simulator/anthropic/anthropic-request-rules';
import { HAIKU_4_5, OPUS_4_6, OPUS_4_8, OPUS_5, OPUS_5_5, translate } from './claude-contract';

const contracts = fc.constantFrom<ModelContract>(HAIKU_4_5, OPUS_4_6, OPUS_4_8, OPUS_5, OPUS_5_5);

/** What a simulator that shares no code with the translation says against the body; undefined: it takes it. */
function faultOf(body: JsonObject, contract: ModelContract): string | undefined {
  const systemTurns = contract.midConversationSystem ? 'allowed' : 'refused';
  return anthropicRequestFault(body, { 'anthropic-version': '2023-06-01' }, { systemTurns })?.message;
}

const said = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('Hi', '雪 🌨', ' padded ') },
  fc.constantFrom('', ' ', '\n', '\u3000'),
  fc.string(),
);
const textPart = said.map((text): JsonObject => ({ type: 'text', text }));
const cachedPart = textPart.map((part): JsonObject => ({ ...part, prompt_cache_breakpoint: {} }));
const imagePart = fc
  .constantFrom('https://x.test/a.png', 'data:image/jpg;base64,iVBORw0KGgoAAAANSUhEUg==')
  .map((url): JsonObject => ({ type: 'image_url', image_url: { url } }));
const plain = fc.oneof(said, fc.array(fc.oneof(textPart, cachedPart), { maxLength: 3 }));
const rich = fc.oneof(said, fc.array(fc.oneof(textPart, imagePart, cachedPart), { maxLength: 3 }));

const callId = fc.constantFrom('call_1', 'call 2', 'функция', 'x'.repeat(80), 'toolu_A');
const args = fc.oneof(
  fc.constantFrom('', '{}', '{"p":"Davos"}'),
  fc.dictionary(fc.string(), fc.jsonValue()).map((o) => JSON.stringify(o)),
);

const systemMessage = fc.record({ role: fc.constantFrom('system', 'developer'), content: plain });
const userMessage = fc.record({ role: fc.constant('user'), content: rich });
const talk = fc.record({ role: fc.constant('assistant'), content: fc.oneof(plain, fc.constant(null)) });
/** An assistant message with calls, and their results in any order with other messages between them. */
const toolRound = fc
  .record({
    content: fc.oneof(plain, fc.constant(null)),
    ids: fc.uniqueArray(callId, { minLength: 1, maxLength: 4 }),
    argumentTexts: fc.array(args, { minLength: 4, maxLength: 4 }),
    between: fc.array(fc.oneof(systemMessage, userMessage), { maxLength: 2 }),
    answer: plain,
    seed: fc.nat(),
  })
  .map(({ content, ids, argumentTexts, between, answer, seed }): JsonObject[] => {
    const tool_calls = ids.map((id, index) => ({
      id,
      type: 'function',
      function: { name: `tool_${index % 2}`, arguments: argumentTexts[index] ?? '' },
    }));
    const results = ids.map((id): JsonObject => ({ role: 'tool', tool_call_id: id, content: answer }));
    const shift = seed % results.length;
    const replies = [...results.slice(shift), ...between, ...results.slice(0, shift)];
    return [{ role: 'assistant', content, tool_calls }, ...(replies as JsonObject[])];
  });
const conversation = fc
  .array(
    fc.oneof(
      ...[systemMessage, userMessage, talk].map((message) =>
        message.map((m): JsonObject[] => [m as JsonObject]),
      ),
      toolRound,
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((rounds) => rounds.flat());

const tools = fc.subarray(['tool_0', 'tool_1', 'tool_2']).map((names) =>
  names.map((name): JsonObject => ({
    type: 'function',
    function: { name, parameters: {}, strict: name === 'tool_2' },
  })),
);
const settings = fc.record(
  {
    tools,
    tool_choice: fc.constantFrom<JsonValue>('auto', 'none', 'required', {
      type: 'function',
      function: { name: 'tool_0' },
    }),
    parallel_tool_calls: fc.boolean(),
    max_tokens: fc.constantFrom(1, 1_500, 5_000, 64_000),
    temperature: fc.constantFrom(0, 0.7, 1, 2),
    top_p: fc.constantFrom(0.5, 0.97, 1),
    stop: fc.oneof(said, fc.array(said, { maxLength: 4 })),
    reasoning_effort: fc.constantFrom('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'),
    response_format: fc.constantFrom<JsonValue>(
      { type: 'text' },
      {
        type: 'json_schema',
        json_schema: {
          name: 'x',
          schema: { type: 'object', properties: { a: { type: 'object', minProperties: 1 } } },
        },
      },
    ),
    user: fc.string(),
    service_tier: fc.constantFrom('auto', 'flex', 'priority'),
    seed: fc.integer(),
  },
  { requiredKeys: [] },
);

describe('translated requests', () => {
  it('are valid Messages bodies, or fail naming the field', () => {
    let valid = 0;
    fc.assert(
      fc.property(conversation, settings, contracts, (messages, others, contract) => {
        const result = translate({ ...(others as JsonObject), messages }, contract);

        if (!result.ok) {
          expect(result.error.param).not.toBe('');
          return;
        }
        valid++;
        expect(faultOf(result.value.body, contract)).toBeUndefined();
      }),
      { numRuns: 10_000 },
    );
    // A generator that only makes invalid requests would prove nothing.
    expect(valid).toBeGreaterThan(150);
  });

  it('lose no visible text of a conversation', () => {
    fc.assert(
      fc.property(conversation, contracts, (messages, contract) => {
        const numbered = messages.map((message, index): JsonObject => ({
          ...message,
          content: `text-${index}.`,
        }));
        const result = translate({ messages: numbered }, contract);

        const sent = result.ok ? JSON.stringify(result.value.body) : '';
        for (const index of result.ok ? numbered.keys() : []) expect(sent).toContain(`text-${index}.`);
      }),
    );
  });

  it('are the same for the same request', () => {
    fc.assert(
      fc.property(conversation, settings, contracts, (messages, others, contract) => {
        const body = { ...(others as JsonObject), messages };
        const before = JSON.stringify(body);

        expect(translate(body, contract)).toEqual(translate(body, contract));
        expect(JSON.stringify(body)).toBe(before);
      }),
      { numRuns: 50 },
    );
  });

  const field = fc.constantFrom(
    ...[
      'model',
      'messages',
      'max_tokens',
      'max_completion_tokens',
      'temperature',
      'top_p',
      'stop',
      'n',
      'tools',
    ],
    ...[
      'tool_choice',
      'parallel_tool_calls',
      'response_format',
      'reasoning_effort',
      'user',
      'service_tier',
      'audio',
    ],
    ...['metadata', 'modalities', 'functions', 'logit_bias', 'safety_identifier', '__proto__', 'constructor'],
  );
  /** JSON that has the right names at the wrong places. */
  const hostile = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(
        'user',
        'assistant',
        'tool',
        'system',
        'function',
        'text',
        'image_url',
        'json_schema',
        '#',
        'object',
      ),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(
        fc.constantFrom(
          ...[
            'role',
            'content',
            'type',
            'text',
            'image_url',
            'url',
            'file',
            'file_data',
            'tool_calls',
            'id',
            'function',
          ],
          ...[
            'name',
            'arguments',
            'tool_call_id',
            'parameters',
            'strict',
            'properties',
            'anyOf',
            '$ref',
            'items',
            'enum',
          ],
          ...['json_schema', 'schema', 'allowed_tools', 'mode', 'tools', '__proto__', 'toString'],
        ),
        tie('value'),
        { maxKeys: 5 },
      ),
    ),
  })).value as fc.Arbitrary<JsonValue>;

  it('never throw, whatever the body is', () => {
    fc.assert(
      fc.property(fc.dictionary(field, hostile), contracts, (body, contract) => {
        const result = translate(body, contract);

        expect(typeof result.ok).toBe('boolean');
      }),
      { numRuns: 1_000 },
    );
  });
});
