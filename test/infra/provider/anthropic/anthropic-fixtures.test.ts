import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../../src/domain/kernel/json';
import { FIXTURES, readFixture, wholeOf } from './read-fixture';
import recordedAnswers from './recorded-answers.json';

/**
 * What each recorded answer says, read off its recording by a script that shares no code with the adapter, and by eye.
 * `content`: length in UTF-16 code units, beginning, end. `tokens`: prompt (cached and written included), cached, completion.
 */
type RecordedAnswer = Readonly<{
  fixture: string;
  finish: string;
  content: [length: number, start: string, end: string];
  reasoningLength: number;
  tools: [id: string, name: string, args: string][];
  tokens: [prompt: number, cached: number, completion: number];
}>;

const RECORDED_ANSWERS = recordedAnswers as unknown as readonly RecordedAnswer[];

/** Recordings that are no answer, and why. */
const NO_ANSWER: Readonly<Record<string, string>> = {
  'messages-json-pause-turn': 'side_effects_unknown',
  'messages-stream-error-overloaded-after-text': 'provider_error',
  'messages-stream-error-overloaded-first-frame': 'provider_error',
};

const recorded = readdirSync(join(FIXTURES, 'anthropic'))
  .filter((file) => /^messages-.*\.json$/.test(file) && !file.startsWith('messages-json-error-'))
  .map((file) => file.slice(0, -'.json'.length));

describe('recorded Messages answers', () => {
  it.each(recorded)('understands %s', (name) => {
    const outcome = wholeOf(readFixture(`anthropic/${name}`));

    expect(outcome.kind === 'answer' ? 'answer' : outcome.signal.kind).toBe(NO_ANSWER[name] ?? 'answer');
  });

  it.each(RECORDED_ANSWERS)(
    'reads $fixture exactly',
    ({ fixture, finish, content, reasoningLength, tools, tokens }) => {
      const outcome = wholeOf(readFixture(fixture));

      if (outcome.kind === 'failed') throw new Error(outcome.signal.kind);
      const { body, finishReason, usage } = outcome.answer;
      const [choice] = body.choices as readonly JsonObject[];
      const message = choice?.message as JsonObject;
      const text = (message.content ?? '') as string;
      expect(finishReason).toBe(finish);
      expect(choice?.finish_reason).toBe(finish);
      expect([text.length, text.slice(0, content[1].length), text.slice(-16)]).toEqual(content);
      expect(((message.reasoning_content ?? '') as string).length).toBe(reasoningLength);
      expect(message.tool_calls ?? []).toEqual(
        tools.map(([id, name, args]) => ({ id, type: 'function', function: { name, arguments: args } })),
      );
      expect([usage.inputTokens, usage.cachedInputTokens ?? 0, usage.outputTokens]).toEqual(tokens);
      expect(body.usage).toMatchObject({
        prompt_tokens: tokens[0],
        completion_tokens: tokens[2],
        total_tokens: tokens[0] + tokens[2],
      });
    },
  );

  it('answers with empty content where the provider was silent, and with null beside tool calls', () => {
    const silent = wholeOf(readFixture('anthropic/messages-json-advisor-stop-reasons'));
    const calling = wholeOf(readFixture('anthropic/messages-json-parallel-3-tool-calls'));

    expect(silent).toMatchObject({ answer: { body: { choices: [{ message: { content: '' } }] } } });
    expect(calling).toMatchObject({ answer: { body: { choices: [{ message: { content: null } }] } } });
  });

  it('takes an answer whose usage says nothing, and tells no numbers', () => {
    const outcome = wholeOf(readFixture('edge/messages-json-malformed-usage'));

    expect(outcome).toMatchObject({
      kind: 'answer',
      answer: {
        body: { id: 'chatcmpl-req_1.1', model: 'claude-2.1' },
        usage: { inputTokens: null, source: 'none' },
      },
    });
    expect(outcome.kind === 'answer' && 'usage' in outcome.answer.body).toBe(false);
  });

  it('shows a refusal as content_filter with its explanation', () => {
    const outcome = wholeOf(readFixture('anthropic/messages-json-refusal'));

    expect(outcome).toMatchObject({
      answer: {
        finishReason: 'content_filter',
        body: {
          choices: [
            {
              message: {
                content: '',
                refusal:
                  "This request triggered restrictions on violative cyber content and was blocked under Anthropic's Usage Policy.",
              },
            },
          ],
        },
      },
    });
  });

  it('shows a refusal without a reason as a fixed sentence, and keeps the text before it', () => {
    const silent = wholeOf(readFixture('anthropic/messages-json-refusal-no-details'));
    const midway = wholeOf(readFixture('anthropic/messages-stream-sdk-refusal-mid-output'));

    const refusal = 'The model declined to answer this request.';
    expect(silent).toMatchObject({ answer: { body: { choices: [{ message: { content: '', refusal } }] } } });
    expect(midway).toMatchObject({
      answer: { body: { choices: [{ message: { content: 'Hi', refusal } }] } },
    });
  });

  it('turns web citations into annotations at their place in the content', () => {
    const outcome = wholeOf(readFixture('anthropic/messages-stream-server-tool-use-citations-delta'));

    if (outcome.kind === 'failed') throw new Error(outcome.signal.kind);
    const [choice] = outcome.answer.body.choices as readonly JsonObject[];
    const { annotations } = choice?.message as { annotations: readonly JsonObject[] };
    expect(annotations).toEqual([
      {
        type: 'url_citation',
        url_citation: {
          start_index: 0,
          end_index: 39,
          title: 'Download Ruby | Ruby',
          url: 'https://www.ruby-lang.org/en/downloads/',
        },
      },
      {
        type: 'url_citation',
        url_citation: {
          start_index: 47,
          end_index: 72,
          title: 'Ruby 4.0.6 Released | Ruby',
          url: 'https://www.ruby-lang.org/en/news/2026/07/14/ruby-4-0-6-released/',
        },
      },
    ]);
  });

  it('tells the tier that served', () => {
    const outcome = wholeOf(readFixture('anthropic/messages-json-text-metadata'));

    expect(outcome).toMatchObject({ answer: { body: { service_tier: 'default' } } });
  });
});
