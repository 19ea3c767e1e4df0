import { TestGateway } from '../support/gateway';
import { fixtureEntries, recorded, recordedAnswers, replayed } from './recorded-fixture';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway.stop());

type Members = Readonly<Record<string, unknown>>;

const answers = new Map(recordedAnswers().map((answer) => [answer.fixture, answer]));
const rows = fixtureEntries()
  .filter(({ wire, id }) => wire === 'openai-chat' && answers.has(id))
  .map((entry) => ({ id: entry.id, entry, n: answers.get(entry.id)!.choices.length }));

/** What the official clients couldn't use as it was sent, or what would speak in our name (WIRE §11). */
const TOUCHED: Readonly<Record<string, string>> = {
  'alibaba/chat-stream-tool-call': 'an empty id on later deltas',
  'anthropic-compat/chat-stream-tool-index-starts-at-1': 'tool indexes that begin at 1',
  'avian/chat-stream-parallel-2-tool-calls-reasoning-cache-read': 'two ids in one answer',
  'avian/chat-stream-reasoning-cache-read': 'two ids in one answer',
  'avian/chat-stream-reasoning-cache-read-tool-result-in': 'two ids in one answer',
  'avian/chat-stream-tool-call-reasoning-cache-read': 'two ids in one answer',
  'azure/chat-json-content-filter-finish-reason': 'no message',
  'azure/chat-stream-filter-results-3': 'a choice without a delta',
  'edge/chat-stream-tool-call-empty-name': 'an empty name on later deltas',
  'gemini/chat-json-tool-call-without-id': 'a tool call without an id',
  'gpustack/chat-stream-reasoning-no-done': 'no role',
  'mistral/chat-json-reasoning': 'content in parts',
  'mistral/chat-json-reasoning-cache-read': 'content in parts',
  'mistral/chat-stream-reasoning': 'content in parts',
  'mistral/chat-stream-reasoning-cache-read': 'content in parts',
  'mistral/chat-stream-text-tools-unused': 'a tool call without an index',
  'mistral/chat-stream-thinking-content-array': 'content in parts',
  'openai/chat-stream-tool-call': 'tool arguments that are null',
  'openai/chat-stream-tool-call-2': 'no finish reason',
  'openrouter/chat-stream-error-field-after-finish': 'an error behind the finish reason',
  'together/chat-json-text-top-k-stop-logit-bias': 'the finish reason eos',
  'zai/chat-json-parallel-2-tool-calls-reasoning-cache-read': 'a request_id',
  'zai/chat-json-reasoning': 'a request_id',
  'zai/chat-json-reasoning-2': 'a request_id',
  'zai/chat-json-tool-call-reasoning-cache-read': 'a request_id',
};

const MODEL = 'gpt-4o-mini';
const QUESTION = { model: MODEL, messages: [{ role: 'user', content: 'What did you say?' }] };

/** The chunks of an event stream with one JSON text per event. */
function chunksIn(text: string): readonly Members[] {
  return text
    .split(/\r?\n/)
    .filter((line) => /^data: ?\{/.test(line))
    .map((line) => JSON.parse(line.slice(line.indexOf('{'))) as Members);
}

/** What is ours on every chunk: the model, and where usage stands. */
function plain({ usage: _usage, model: _model, ...chunk }: Members): Members {
  return chunk;
}

const isUsageOnly = ({ choices, usage }: Members): boolean =>
  Array.isArray(choices) && choices.length === 0 && usage !== undefined && usage !== null;

/** The answer as it arrives, and as the provider sent it, without what is ours. */
async function bothEnds({ entry, n }: (typeof rows)[number]): Promise<readonly [unknown, unknown]> {
  gateway.openai.enqueue(replayed(entry));
  const sent = recorded(entry).bytes.toString();
  const { body, text } = await gateway.chat({ ...QUESTION, n, stream: entry.stream });
  if (!entry.stream) return [body, { ...(JSON.parse(sent) as Members), model: MODEL }];
  const chunks = chunksIn(sent).filter((chunk) => !isUsageOnly(chunk));
  return [chunksIn(text).map(plain), chunks.map(plain)];
}

describe('an answer of the same wire', () => {
  const touched = rows.filter(({ id }) => id in TOUCHED).map((row) => ({ ...row, why: TOUCHED[row.id] }));

  it.each(rows.filter(({ id }) => !(id in TOUCHED)))(
    '$id arrives as it was sent, but for the model and the place of the usage',
    async (row) => {
      const [arrived, sent] = await bothEnds(row);

      expect(arrived).toEqual(sent);
    },
  );

  it.each(touched)('$id is put in order: $why', async (row) => {
    const [arrived, sent] = await bothEnds(row);

    expect(arrived).not.toEqual(sent);
  });

  it('is touched in 25 recordings only', () => {
    expect(touched).toHaveLength(25);
    expect(rows).toHaveLength(238);
  });
});
