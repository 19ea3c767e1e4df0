import type { WritingRules } from '../../../../src/domain/catalog/writing-rules';
import type { JsonObject } from '../../../../src/domain/kernel/json';
import { DEFAULT_CONTRACT } from '../../../../src/usecase/catalog/default-contract';
import { inDialect } from '../../../../src/infra/provider/openai/dialect';

const BOTH_LIMITS = { max_tokens: 5, max_completion_tokens: 9 };

const written = (body: JsonObject, rules: Partial<WritingRules>) =>
  inDialect(body, { ...DEFAULT_CONTRACT, ...rules });

describe('a dialect of Chat Completions (WIRE §11, writing rules)', () => {
  it('changes nothing by default', () => {
    const body = {
      max_tokens: 5,
      messages: [{ role: 'developer', content: 'x' }],
      odd: 1,
      stream_options: {},
    };

    expect(written(body, {}).body).toBe(body);
    expect(written(body, {}).ignoredParams).toEqual([]);
  });

  describe('writes silently', () => {
    it.each<[string, Partial<WritingRules>, JsonObject, JsonObject]>([
      [
        'max_tokens for max_completion_tokens',
        { tokenLimitField: 'max_tokens' },
        { max_completion_tokens: 9 },
        { max_tokens: 9 },
      ],
      [
        'max_completion_tokens for max_tokens',
        { tokenLimitField: 'max_completion_tokens' },
        { max_tokens: 9 },
        { max_completion_tokens: 9 },
      ],
      ['the newer of two limits', { tokenLimitField: 'max_tokens' }, BOTH_LIMITS, { max_tokens: 9 }],
      [
        'the newer of two limits in its own field',
        { tokenLimitField: 'max_completion_tokens' },
        BOTH_LIMITS,
        { max_completion_tokens: 9 },
      ],
      ['no limit for a null', { tokenLimitField: 'max_tokens' }, { max_completion_tokens: null }, {}],
      [
        'a limit in its field as it is',
        { tokenLimitField: 'max_tokens' },
        { max_tokens: 9 },
        { max_tokens: 9 },
      ],
      [
        'system for developer, wherever it stands',
        { developerRole: false },
        { messages: [{ role: 'user' }, { role: 'developer', content: 'x', name: 'n' }] },
        { messages: [{ role: 'user' }, { role: 'system', content: 'x', name: 'n' }] },
      ],
      ['no wish for usage', { streamOptions: false }, { stream_options: { include_usage: true } }, {}],
      ['no null options', { streamOptions: false }, { stream_options: null }, {}],
      ['no unknown null', { strictBody: true }, { odd: null, n: 1 }, { n: 1 }],
      [
        'an effort that is known',
        { reasoningEfforts: ['low'] },
        { reasoning_effort: 'low' },
        { reasoning_effort: 'low' },
      ],
      [
        'any effort where none is named',
        { reasoningEfforts: null },
        { reasoning_effort: 'odd' },
        { reasoning_effort: 'odd' },
      ],
    ])('%s', (_name, rules, body, expected) => {
      expect(written(body, rules)).toEqual({ body: expected, ignoredParams: [] });
    });
  });

  describe('names what it leaves out', () => {
    it.each<[string, Partial<WritingRules>, JsonObject, ReturnType<typeof written>]>([
      [
        'other stream options',
        { streamOptions: false },
        { stream_options: { x: 1 } },
        { body: {}, ignoredParams: ['stream_options'] },
      ],
      [
        'fields that Chat Completions does not have',
        { strictBody: true },
        { messages: [], top_k: 5, temperature: 1, min_p: 0.1 },
        { body: { messages: [], temperature: 1 }, ignoredParams: ['top_k', 'min_p'] },
      ],
      [
        'an effort that is too strong, for the next weaker one',
        { reasoningEfforts: ['low', 'high'] },
        { reasoning_effort: 'xhigh' },
        { body: { reasoning_effort: 'high' }, ignoredParams: ['reasoning_effort'] },
      ],
      [
        'an effort weaker than all',
        { reasoningEfforts: ['high'] },
        { reasoning_effort: 'low' },
        { body: {}, ignoredParams: ['reasoning_effort'] },
      ],
      [
        'any effort where there is no such field',
        { reasoningEfforts: [] },
        { reasoning_effort: 'low' },
        { body: {}, ignoredParams: ['reasoning_effort'] },
      ],
      [
        'an effort that nobody knows',
        { reasoningEfforts: ['low'] },
        { reasoning_effort: 'odd' },
        { body: {}, ignoredParams: ['reasoning_effort'] },
      ],
    ])('%s', (_name, rules, body, expected) => {
      expect(written(body, rules)).toEqual(expected);
    });
  });

  it('holds no more than 64 names', () => {
    const body = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`odd_${index}`, 1]));

    expect(written(body, { strictBody: true }).ignoredParams).toHaveLength(64);
  });

  it('takes a key that a prototype has as data', () => {
    const body = JSON.parse('{"__proto__": {"n": 5}, "max_completion_tokens": 9}') as JsonObject;

    const { body: upstream } = written(body, { tokenLimitField: 'max_tokens' });

    expect(JSON.stringify(upstream)).toBe('{"__proto__":{"n":5},"max_tokens":9}');
    expect(upstream.n).toBeUndefined();
  });
});
