import { failedCheckOf } from '../../../src/domain/catalog/failed-check';
import type { CheckName, CheckResult } from '../../../src/domain/catalog/offering-checks';
import type { RequestNeeds } from '../../../src/domain/catalog/request-needs';
import { PLAIN_NEEDS } from '../../support/sample-catalog';

const failed = (check: CheckName, code: string | null = 'odd'): CheckResult => ({
  check,
  verdict: 'failed',
  atMs: 1_796_026_500_000,
  status: 200,
  code,
});

describe('a failed check', () => {
  it.each<[CheckName, Partial<RequestNeeds>, string]>([
    ['identity', {}, 'model'],
    ['answer', {}, 'stream'],
    ['streaming', { streaming: true }, 'stream'],
    ['stream_usage', { streaming: true, streamUsage: true }, 'stream_options'],
    ['tools', { tools: true }, 'tools'],
    ['tool_results', { tools: true }, 'tools'],
    ['forced_tool_choice', { tools: true, forcedToolChoice: true }, 'tool_choice'],
    ['json_schema', { jsonSchema: true }, 'response_format'],
    ['limits', { maxOutputTokens: 5 }, 'max_completion_tokens'],
  ])('of %s stands against a request that needs %j', (check, needs, param) => {
    expect(failedCheckOf({ ...PLAIN_NEEDS, ...needs }, [failed(check)])?.param).toBe(param);
  });

  it.each<[CheckName, Partial<RequestNeeds>]>([
    ['answer', { streaming: true }],
    ['streaming', {}],
    ['stream_usage', { streaming: true }],
    ['tools', {}],
    ['tool_results', {}],
    ['forced_tool_choice', { tools: true }],
    ['json_schema', { jsonObject: true }],
    ['limits', {}],
    ['usage', {}],
    ['errors', {}],
  ])('of %s stands against no other request (%j)', (check, needs) => {
    expect(failedCheckOf({ ...PLAIN_NEEDS, ...needs }, [failed(check)])).toBeNull();
  });

  it('is told with its name, its time and its reason', () => {
    expect(failedCheckOf({ ...PLAIN_NEEDS, tools: true }, [failed('tools', 'no_tool_call')])).toEqual({
      param: 'tools',
      message: "the check 'tools' of this offering failed at 2026-11-30T08:15:00Z (no_tool_call)",
    });
  });

  it('is told without a reason where there is none', () => {
    expect(failedCheckOf(PLAIN_NEEDS, [failed('identity', null)])?.message).toBe(
      "the check 'identity' of this offering failed at 2026-11-30T08:15:00Z",
    );
  });

  it('fails nothing where none failed', () => {
    expect(failedCheckOf({ ...PLAIN_NEEDS, tools: true }, [])).toBeNull();
  });
});
