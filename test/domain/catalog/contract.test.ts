import fc from 'fast-check';
import { contractMismatch, needsOf } from '../../../src/domain/catalog/contract';
import type { ModelContract } from '../../../src/domain/catalog/model-contract';
import type { RequestNeeds } from '../../../src/domain/catalog/request-needs';
import type { JsonObject } from '../../../src/domain/kernel/json';
import { ABLE, PLAIN_NEEDS } from '../../support/sample-catalog';

const SAY_HI = { role: 'user', content: 'Hi' };
const FUNCTION = { type: 'function', function: { name: 'snow' } };

function withPart(part: JsonObject): JsonObject {
  return { messages: [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, part] }] };
}

describe('needs of a request', () => {
  it('are none for a plain question', () => {
    expect(needsOf({ model: 'gpt-s', messages: [SAY_HI] })).toEqual({
      ...PLAIN_NEEDS,
      estimatedInputTokens: 5,
    });
  });

  it.each<{ name: string; body: JsonObject; needs: Partial<RequestNeeds> }>([
    { name: 'stream', body: { stream: true }, needs: { streaming: true } },
    { name: 'tools', body: { tools: [FUNCTION] }, needs: { tools: true } },
    { name: 'no tools in an empty list', body: { tools: [] }, needs: { tools: false } },
    { name: 'tool_choice required', body: { tool_choice: 'required' }, needs: { forcedToolChoice: true } },
    { name: 'tool_choice by name', body: { tool_choice: FUNCTION }, needs: { forcedToolChoice: true } },
    { name: 'tool_choice auto', body: { tool_choice: 'auto' }, needs: { forcedToolChoice: false } },
    { name: 'tool_choice none', body: { tool_choice: 'none' }, needs: { forcedToolChoice: false } },
    {
      name: 'allowed tools, one required',
      body: { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'required' } } },
      needs: { forcedToolChoice: true },
    },
    {
      name: 'allowed tools, free',
      body: { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto' } } },
      needs: { forcedToolChoice: false },
    },
    {
      name: 'allowed tools without a mode',
      body: { tool_choice: { type: 'allowed_tools' } },
      needs: { forcedToolChoice: false },
    },
    {
      name: 'json_schema',
      body: { response_format: { type: 'json_schema' } },
      needs: { jsonSchema: true, jsonObject: false },
    },
    {
      name: 'json_object',
      body: { response_format: { type: 'json_object' } },
      needs: { jsonObject: true, jsonSchema: false },
    },
    {
      name: 'format text',
      body: { response_format: { type: 'text' } },
      needs: { jsonObject: false, jsonSchema: false },
    },
    {
      name: 'an image',
      body: withPart({ type: 'image_url', image_url: { url: 'https://example.test/a.png' } }),
      needs: { vision: true },
    },
    { name: 'a file', body: withPart({ type: 'file', file: { file_id: 'f' } }), needs: { files: true } },
    {
      name: 'sound',
      body: withPart({ type: 'input_audio', input_audio: { data: '', format: 'wav' } }),
      needs: { audio: true },
    },
    {
      name: 'an earlier spoken answer',
      body: { messages: [{ role: 'assistant', audio: { id: 'a' } }, SAY_HI] },
      needs: { audio: true },
    },
    { name: 'a spoken answer', body: { modalities: ['text', 'audio'] }, needs: { audioOutput: true } },
    { name: 'a written answer', body: { modalities: ['text'] }, needs: { audioOutput: false } },
    { name: 'n of 2', body: { n: 2 }, needs: { multipleChoices: true } },
    { name: 'n of 1', body: { n: 1 }, needs: { multipleChoices: false } },
    { name: 'logprobs', body: { logprobs: true }, needs: { logprobs: true } },
    { name: 'top_logprobs', body: { top_logprobs: 3 }, needs: { logprobs: true } },
    { name: 'top_logprobs of 0', body: { top_logprobs: 0, logprobs: false }, needs: { logprobs: false } },
    { name: 'functions', body: { functions: [{ name: 'snow' }] }, needs: { legacyFunctions: true } },
    { name: 'function_call', body: { function_call: 'auto' }, needs: { legacyFunctions: true } },
    {
      name: 'a function message',
      body: { messages: [{ role: 'function', name: 'snow', content: '12' }] },
      needs: { legacyFunctions: true },
    },
    {
      name: 'an earlier function call',
      body: { messages: [{ role: 'assistant', function_call: { name: 'snow' } }, SAY_HI] },
      needs: { legacyFunctions: true },
    },
    {
      name: 'an assistant message at the end',
      body: { messages: [SAY_HI, { role: 'assistant', content: 'H' }] },
      needs: { prefill: true },
    },
    {
      name: 'an assistant message before the end',
      body: { messages: [{ role: 'assistant', content: 'H' }, SAY_HI] },
      needs: { prefill: false },
    },
    {
      name: 'max_completion_tokens before max_tokens',
      body: { max_completion_tokens: 5, max_tokens: 9 },
      needs: { maxOutputTokens: 5 },
    },
    {
      name: 'max_tokens alone',
      body: { max_tokens: 9, max_completion_tokens: null },
      needs: { maxOutputTokens: 9 },
    },
    {
      name: 'null as absent',
      body: {
        stream: null,
        tools: null,
        tool_choice: null,
        response_format: null,
        n: null,
        function_call: null,
        modalities: null,
      },
      needs: PLAIN_NEEDS,
    },
  ])('are read off $name', ({ body, needs }) => {
    expect(needsOf({ messages: [SAY_HI], ...body })).toMatchObject({
      ...needs,
      estimatedInputTokens: expect.any(Number),
    });
  });

  it('count tools, functions and schemas to the input', () => {
    const body = {
      messages: [],
      tools: ['abcd'],
      functions: ['efgh'],
      response_format: 'ijkl',
      metadata: 'mnop',
    };

    expect(needsOf(body).estimatedInputTokens).toBe(3);
  });

  it('are read off any JSON without failing', () => {
    const body = fc.dictionary(
      fc.constantFrom(
        'messages',
        'tools',
        'tool_choice',
        'response_format',
        'n',
        'modalities',
        'functions',
        'max_tokens',
      ),
      fc.jsonValue(),
    );

    fc.assert(
      fc.property(body, (odd) => {
        expect(needsOf(odd as JsonObject).estimatedInputTokens).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('contract', () => {
  it.each<{ need: Partial<RequestNeeds>; lacks: Partial<ModelContract>; param: string }>([
    { need: { streaming: true }, lacks: { streaming: false }, param: 'stream' },
    { need: { tools: true }, lacks: { tools: false }, param: 'tools' },
    { need: { forcedToolChoice: true }, lacks: { forcedToolChoice: false }, param: 'tool_choice' },
    { need: { jsonSchema: true }, lacks: { jsonSchema: false }, param: 'response_format' },
    { need: { jsonObject: true }, lacks: { jsonObject: false }, param: 'response_format' },
    { need: { vision: true }, lacks: { vision: false }, param: 'messages' },
    { need: { files: true }, lacks: { files: false }, param: 'messages' },
    { need: { audio: true }, lacks: { audio: false }, param: 'messages' },
    { need: { audioOutput: true }, lacks: { audio: false }, param: 'modalities' },
    { need: { multipleChoices: true }, lacks: { multipleChoices: false }, param: 'n' },
    { need: { logprobs: true }, lacks: { logprobs: false }, param: 'logprobs' },
    { need: { legacyFunctions: true }, lacks: { legacyFunctions: false }, param: 'functions' },
    { need: { prefill: true }, lacks: { prefill: false }, param: 'messages' },
  ])('refuses $need under $param where it is lacking', ({ need, lacks, param }) => {
    const needs = { ...PLAIN_NEEDS, ...need };

    expect(contractMismatch(needs, { ...ABLE, ...lacks })?.param).toBe(param);
    expect(contractMismatch(PLAIN_NEEDS, { ...ABLE, ...lacks })).toBeNull();
    expect(contractMismatch(needs, ABLE)).toBeNull();
  });

  it.each([
    { name: 'as much output as possible', asked: 4_096, limit: 4_096, message: null },
    {
      name: 'one token more',
      asked: 4_097,
      limit: 4_096,
      message: '4097 output tokens asked for, at most 4096 possible',
    },
    { name: 'any output where the limit is unknown', asked: 1_000_000, limit: null, message: null },
    { name: 'no limit of its own', asked: null, limit: 1, message: null },
  ])('judges a request for $name', ({ asked, limit, message }) => {
    const mismatch = contractMismatch(
      { ...PLAIN_NEEDS, maxOutputTokens: asked },
      { ...ABLE, maxOutputTokens: limit },
    );

    expect(mismatch).toEqual(message === null ? null : { param: 'max_completion_tokens', message });
  });

  it.each([
    {
      name: 'twice the window by the rough count: it may fit',
      estimate: 16_000,
      window: 8_000,
      message: null,
    },
    {
      name: 'more than twice the window',
      estimate: 16_001,
      window: 8_000,
      message: 'about 16001 input tokens, the context holds 8000',
    },
    { name: 'any input where the window is unknown', estimate: 1_000_000, window: null, message: null },
  ])('judges input of $name', ({ estimate, window, message }) => {
    const mismatch = contractMismatch(
      { ...PLAIN_NEEDS, estimatedInputTokens: estimate },
      { ...ABLE, contextTokens: window },
    );

    expect(mismatch).toEqual(message === null ? null : { param: 'messages', message });
  });

  it('names the first need that is lacking', () => {
    const needs = { ...PLAIN_NEEDS, logprobs: true, tools: true };

    expect(contractMismatch(needs, { ...ABLE, tools: false, logprobs: false })).toEqual({
      param: 'tools',
      message: 'tools not supported',
    });
  });
});
