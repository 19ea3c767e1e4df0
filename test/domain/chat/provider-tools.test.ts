import { runsProviderTools } from '../../../src/domain/chat/provider-tools';
import type { JsonObject } from '../../../src/domain/kernel/json';

describe('tools that run at the provider', () => {
  it.each<{ name: string; body: JsonObject; expected: boolean }>([
    { name: 'no tools at all', body: {}, expected: false },
    { name: 'an empty list', body: { tools: [] }, expected: false },
    {
      name: 'a function of the caller',
      body: { tools: [{ type: 'function', function: { name: 'f' } }] },
      expected: false,
    },
    { name: 'a custom tool of the caller', body: { tools: [{ type: 'custom' }] }, expected: false },
    { name: 'a tool without a type', body: { tools: [{ name: 'f' }] }, expected: false },
    { name: 'a web search tool', body: { tools: [{ type: 'web_search' }] }, expected: true },
    {
      name: 'a dated tool of Anthropic',
      body: { tools: [{ type: 'code_execution_20250825' }] },
      expected: true,
    },
    { name: 'one among functions', body: { tools: [{ type: 'function' }, { type: 'mcp' }] }, expected: true },
    { name: 'web search as an option', body: { web_search_options: {} }, expected: true },
    { name: 'web search switched off by null', body: { web_search_options: null }, expected: false },
    { name: 'tools that are no list', body: { tools: 'web_search' }, expected: false },
    { name: 'an entry that is no object', body: { tools: ['web_search', null] }, expected: false },
    { name: 'a type of null, which is nobody’s', body: { tools: [{ type: null }] }, expected: true },
  ])('$name: $expected', ({ body, expected }) => {
    expect(runsProviderTools(body)).toBe(expected);
  });
});
