import type { ModelContract } from '../../../../src/domain/catalog/model-contract';
import type { JsonObject } from '../../../../src/domain/kernel/json';
import {
  failureOf,
  HAIKU_4_5,
  HELLO,
  membersOf,
  notesOf,
  OPUS_4_6,
  OPUS_4_8,
  OPUS_5,
  OPUS_5_5,
  translate,
} from './claude-contract';

const TOOL = { type: 'function', function: { name: 'snow', parameters: {} } };

describe('the translated request', () => {
  it('is the smallest Messages body for the smallest request', () => {
    expect(translate({})).toEqual({
      ok: true,
      value: {
        body: {
          model: 'claude-up',
          stream: true,
          max_tokens: 64_000,
          messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
        },
        ignoredParams: [],
      },
    });
  });

  it('takes null as absent for every optional field', () => {
    const fields = [
      ...[
        'max_tokens',
        'max_completion_tokens',
        'temperature',
        'top_p',
        'stop',
        'n',
        'logprobs',
        'top_logprobs',
      ],
      ...[
        'tools',
        'tool_choice',
        'parallel_tool_calls',
        'response_format',
        'reasoning_effort',
        'user',
        'metadata',
      ],
      ...[
        'functions',
        'function_call',
        'audio',
        'modalities',
        'moderation',
        'service_tier',
        'seed',
        'unknown_field',
      ],
    ];

    const result = translate(Object.fromEntries(fields.map((field) => [field, null])));

    expect(result).toEqual(translate({}));
  });
});

describe('max_tokens', () => {
  it.each([
    ['max_completion_tokens', { max_completion_tokens: 100 }, 100],
    ['the deprecated max_tokens', { max_tokens: 50 }, 50],
    ['the newer of both', { max_completion_tokens: 100, max_tokens: 50 }, 100],
    ['exactly the limit', { max_tokens: 64_000 }, 64_000],
    ['the limit of the model without either', {}, 64_000],
  ])('is %s', (_name, body, expected) => {
    const result = translate(body);

    expect(result.ok && result.value.body.max_tokens).toBe(expected);
  });

  it('is 4096 where the catalog names no limit', () => {
    const result = translate({}, { maxOutputTokens: null });

    expect(result.ok && result.value.body.max_tokens).toBe(4_096);
  });

  it('over the limit is for another route, and the limit is named', () => {
    expect(translate({ max_tokens: 64_001 })).toEqual({
      ok: false,
      error: {
        kind: 'gate',
        param: 'max_tokens',
        message: 'is 64001, but this model gives at most 64000 tokens',
      },
    });
  });

  it.each([0, -1, 1.5, '100', true])('rejects %p', (value) => {
    expect(failureOf({ max_completion_tokens: value })).toBe('reject max_completion_tokens');
  });
});

describe('sampling', () => {
  it.each<[string, JsonObject, Partial<ModelContract>, JsonObject, string[]]>([
    [
      'both where both go',
      { temperature: 0.5, top_p: 0.9 },
      { sampling: 'any' },
      { temperature: 0.5, top_p: 0.9 },
      [],
    ],
    [
      'temperature before top_p',
      { temperature: 0.5, top_p: 0.9 },
      HAIKU_4_5,
      { temperature: 0.5 },
      ['top_p'],
    ],
    ['a top_p of 1 beside it, silently', { temperature: 0, top_p: 1 }, HAIKU_4_5, { temperature: 0 }, []],
    ['top_p alone', { top_p: 0.9 }, HAIKU_4_5, { top_p: 0.9 }, []],
    ['a temperature above 1 as 1', { temperature: 1.7 }, HAIKU_4_5, { temperature: 1 }, ['temperature']],
    ['only defaults: nothing', { temperature: 1, top_p: 0.99 }, OPUS_4_8, {}, []],
    [
      'only defaults: others noted',
      { temperature: 0.5, top_p: 0.98 },
      OPUS_4_8,
      {},
      ['temperature', 'top_p'],
    ],
    ['none: defaults are nothing', { temperature: 1, top_p: 1 }, OPUS_5_5, {}, []],
    ['none: others noted', { temperature: 0, top_p: 0.99 }, OPUS_5_5, {}, ['temperature', 'top_p']],
    [
      'no temperature while thinking',
      { temperature: 0.5, reasoning_effort: 'low' },
      HAIKU_4_5,
      { thinking: { type: 'enabled', budget_tokens: 2_048 } },
      ['temperature'],
    ],
    [
      'a high top_p while thinking',
      { top_p: 0.95, reasoning_effort: 'low' },
      HAIKU_4_5,
      { top_p: 0.95, thinking: { type: 'enabled', budget_tokens: 2_048 } },
      [],
    ],
    [
      'no lower top_p while thinking',
      { temperature: 1, top_p: 0.94, reasoning_effort: 'low' },
      OPUS_4_6,
      { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
      ['top_p'],
    ],
  ])('sends %s', (_name, body, contract, ...expected) => {
    expect([membersOf(body, contract), notesOf(body, contract)]).toEqual(expected);
  });

  it.each([
    ['temperature', 2.1],
    ['temperature', -0.1],
    ['temperature', '1'],
    ['top_p', 1.1],
    ['top_p', -1],
  ])('rejects %s %p', (param, value) => {
    expect(failureOf({ [param]: value })).toBe(`reject ${param}`);
  });
});

describe('stop (B06)', () => {
  it.each<[string, JsonObject[string], JsonObject, string[]]>([
    ['one newline', '\n', {}, ['stop']],
    ['blanks among words', ['\n\n', ' \t', 'END', ''], { stop_sequences: ['END'] }, ['stop']],
    [
      'blanks of Unicode',
      ['\u3000', '\u00a0', '\u2028', '\u0085', 'x '],
      { stop_sequences: ['x '] },
      ['stop'],
    ],
    ['nothing', [], {}, []],
    ['a word', 'END', { stop_sequences: ['END'] }, []],
    ['five words', ['a', 'b', 'c', 'd', 'e'], { stop_sequences: ['a', 'b', 'c', 'd', 'e'] }, []],
  ])('takes %s', (_name, stop, members, notes) => {
    expect(membersOf({ stop })).toEqual(members);
    expect(notesOf({ stop })).toEqual(notes);
  });

  it.each([7, true, { a: 1 }, ['a', 7], [null]])('rejects %p', (stop) => {
    expect(failureOf({ stop })).toBe('reject stop');
  });
});

describe('fields without a counterpart', () => {
  it.each<[string, JsonObject]>([
    ['frequency_penalty', { frequency_penalty: 0.5 }],
    ['presence_penalty', { presence_penalty: -2 }],
    ['logit_bias', { logit_bias: { '1': 5 } }],
    ['seed', { seed: 7 }],
    ['verbosity', { verbosity: 'low' }],
    ['prediction', { prediction: { type: 'content', content: 'x' } }],
    ['metadata', { metadata: { a: 'b' } }],
    ['store', { store: true }],
    ['made_up', { made_up: 1 }],
    ['__proto__', JSON.parse('{"__proto__":{"a":1}}') as JsonObject],
    ['constructor', { constructor: 1 }],
  ])('leave out and note the hint %s', (param, body) => {
    expect(membersOf(body)).toEqual({});
    expect(notesOf(body)).toEqual([param]);
  });

  it.each<[string, JsonObject]>([
    ['penalties of 0', { frequency_penalty: 0, presence_penalty: 0 }],
    ['an empty logit_bias', { logit_bias: {} }],
    ['n of 1', { n: 1 }],
    ['no log probabilities', { logprobs: false, top_logprobs: 0 }],
    ['medium verbosity', { verbosity: 'medium' }],
    ['text modality', { modalities: ['text'] }],
    ['no functions', { functions: [] }],
    ['no storage, no metadata', { store: false, metadata: {} }],
    ['cache hints', { prompt_cache_key: 'k', prompt_cache_retention: '24h', prompt_cache_options: {} }],
    [
      'stream and its options',
      { stream: true, stream_options: { include_usage: true, include_obfuscation: false } },
    ],
  ])('say nothing for %s', (_name, body) => {
    expect(translate(body)).toEqual(translate({}));
  });

  it.each<[string, JsonObject]>([
    ['n', { n: 2 }],
    ['logprobs', { logprobs: true }],
    ['top_logprobs', { top_logprobs: 3 }],
    ['functions', { functions: [{ name: 'f' }] }],
    ['function_call', { function_call: 'auto' }],
    ['modalities', { modalities: ['text', 'audio'] }],
    ['audio', { audio: { voice: 'alloy' } }],
    ['web_search_options', { web_search_options: {} }],
    ['moderation', { moderation: { model: 'm' } }],
  ])('refuse the route for %s', (param, body) => {
    expect(failureOf(body)).toBe(`gate ${param}`);
  });

  it.each<[string, JsonObject]>([
    ['n', { n: 0 }],
    ['n', { n: 129 }],
    ['n', { n: '1' }],
    ['frequency_penalty', { frequency_penalty: 3 }],
    ['presence_penalty', { presence_penalty: 'a' }],
    ['logprobs', { logprobs: 1 }],
    ['store', { store: 'yes' }],
    ['user', { user: 7 }],
    ['parallel_tool_calls', { parallel_tool_calls: 'no' }],
  ])('reject a wrong %s', (param, body) => {
    expect(failureOf(body)).toBe(`reject ${param}`);
  });

  it('refuse the route, naming the first of them, where the policy rejects what would be ignored', () => {
    const result = translate({ metadata: { a: 'b' }, seed: 7 }, {}, 'reject');

    expect(result).toMatchObject({ ok: false, error: { kind: 'gate', param: 'metadata' } });
    expect(translate({ prompt_cache_key: 'k' }, {}, 'reject').ok).toBe(true);
  });

  it('are noted up to a bound', () => {
    const body = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, 1]));

    expect(notesOf(body)).toHaveLength(64);
  });
});

describe('account fields', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['user', { user: 'ann' }, { metadata: { user_id: 'hash-of-ann' } }],
    [
      'safety_identifier first',
      { user: 'ann', safety_identifier: 'bob' },
      { metadata: { user_id: 'hash-of-bob' } },
    ],
    ['an empty user as none', { user: '' }, {}],
  ])('send %s as a hash', (_name, body, members) => {
    expect(membersOf(body)).toEqual(members);
  });

  it.each<[string, string | undefined, string[]]>([
    ['auto', 'auto', []],
    ['default', 'standard_only', []],
    ['priority', 'auto', ['service_tier']],
    ['scale', 'auto', ['service_tier']],
    ['fast', 'auto', ['service_tier']],
    ['flex', 'standard_only', ['service_tier']],
    ['constructor', undefined, ['service_tier']],
  ])('translate the tier %s', (tier, expected, notes) => {
    expect(membersOf({ service_tier: tier }).service_tier).toBe(expected);
    expect(notesOf({ service_tier: tier })).toEqual(notes);
  });
});

describe('reasoning_effort', () => {
  const adaptive = (effort: string): JsonObject => ({
    thinking: { type: 'adaptive' },
    output_config: { effort },
  });
  const level = (effort: string): JsonObject => ({ output_config: { effort } });
  const budget = (tokens: number): JsonObject => ({ thinking: { type: 'enabled', budget_tokens: tokens } });

  it.each<[string, string, ModelContract, JsonObject, string[]]>([
    ['adaptive, off', 'none', OPUS_4_6, {}, []],
    ['adaptive, off', 'minimal', OPUS_4_6, adaptive('low'), []],
    ['adaptive, off', 'low', OPUS_4_6, adaptive('low'), []],
    ['adaptive, off', 'medium', OPUS_4_6, adaptive('medium'), []],
    ['adaptive, off', 'high', OPUS_4_6, adaptive('high'), []],
    ['adaptive, off, without xhigh', 'xhigh', OPUS_4_6, adaptive('high'), ['reasoning_effort']],
    ['adaptive, off, with xhigh', 'xhigh', OPUS_4_8, adaptive('xhigh'), []],
    ['adaptive, off', 'max', OPUS_4_6, adaptive('max'), []],
    ['adaptive, on', 'none', OPUS_5, { thinking: { type: 'disabled' } }, []],
    ['adaptive, on', 'minimal', OPUS_5, level('low'), []],
    ['adaptive, on', 'medium', OPUS_5, level('medium'), []],
    ['adaptive, on', 'max', OPUS_5, level('max'), []],
    ['always', 'none', OPUS_5_5, level('low'), ['reasoning_effort']],
    ['always', 'high', OPUS_5_5, level('high'), []],
    ['manual', 'none', HAIKU_4_5, {}, []],
    ['manual', 'minimal', HAIKU_4_5, budget(2_048), []],
    ['manual', 'low', HAIKU_4_5, budget(2_048), []],
    ['manual', 'medium', HAIKU_4_5, budget(8_192), []],
    ['manual', 'high', HAIKU_4_5, budget(16_384), []],
    ['manual', 'xhigh', HAIKU_4_5, budget(24_576), []],
    ['manual', 'max', HAIKU_4_5, budget(32_000), []],
    ['no thinking', 'none', { ...HAIKU_4_5, thinking: 'none' }, {}, []],
    ['no thinking', 'high', { ...HAIKU_4_5, thinking: 'none' }, {}, ['reasoning_effort']],
  ])('on a model of the kind "%s": %s', (_kind, effort, contract, ...expected) => {
    const body = { reasoning_effort: effort };

    expect([membersOf(body, contract), notesOf(body, contract)]).toEqual(expected);
  });

  it('rejects other words', () => {
    expect(failureOf({ reasoning_effort: 'heavy' })).toBe('reject reasoning_effort');
  });

  it.each<[string, JsonObject, JsonObject, string[]]>([
    ['fits below max_tokens', { max_tokens: 8_193 }, budget(8_192), []],
    ['shrinks to leave room for the answer', { max_tokens: 8_192 }, budget(7_168), []],
    ['shrinks to its minimum', { max_tokens: 2_048 }, budget(1_024), []],
    ['is left off below its minimum', { max_tokens: 2_047 }, {}, ['reasoning_effort']],
    [
      'is left off when a call is forced',
      { tools: [TOOL], tool_choice: 'required' },
      {
        tools: [{ name: 'snow', input_schema: { type: 'object', properties: {} } }],
        tool_choice: { type: 'any' },
      },
      ['reasoning_effort'],
    ],
    [
      'is left off for a prefill',
      { messages: [HELLO, { role: 'assistant', content: 'Once' }] },
      {},
      ['reasoning_effort'],
    ],
  ])('as a budget %s', (_name, body, members, notes) => {
    expect(membersOf({ reasoning_effort: 'medium', ...body }, HAIKU_4_5)).toEqual(members);
    expect(notesOf({ reasoning_effort: 'medium', ...body }, HAIKU_4_5)).toEqual(notes);
  });

  it('as a budget is left off inside a tool loop, whose signed thinking the history lacks', () => {
    const call = { id: 't1', type: 'function', function: { name: 'snow', arguments: '{}' } };
    const messages = [
      HELLO,
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', tool_call_id: 't1', content: '12 cm' },
    ];
    const body = { messages, tools: [TOOL], reasoning_effort: 'high' };

    expect(membersOf(body, HAIKU_4_5).thinking).toBeUndefined();
    expect(notesOf(body, HAIKU_4_5)).toEqual(['reasoning_effort']);
    expect(membersOf(body, OPUS_4_6)).toMatchObject({ thinking: { type: 'adaptive' } });
  });
});
