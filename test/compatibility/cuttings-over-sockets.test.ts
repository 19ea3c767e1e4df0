import { TestGateway } from '../support/gateway';
import { HAIKU, MINI, only } from '../support/gateway-policy';
import { question, streamed } from './asked';
import { expectedView, viewOf, withoutReasoning } from './client-view';
import { randomCuts, type Cutting } from './cuttings';
import { fixtureEntries, recorded, recordedAnswers, replayed, type RecordedAnswer } from './recorded-fixture';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start();
  await gateway.putPolicy(only(MINI, { match: ['held-openai'], commit_on: 'complete' }), 'openai');
  await gateway.putPolicy(only(HAIKU, { match: ['held-anthropic'], commit_on: 'complete' }), 'anthropic');
});
afterAll(() => gateway.stop());

const MODELS = {
  openai: { relayed: 'gpt-4o-mini', held: 'held-openai' },
  anthropic: { relayed: 'claude-haiku-4-5', held: 'held-anthropic' },
};

/** A continuation byte of UTF-8. */
const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

/** The cutting, and one more cut inside the first character of several bytes, if there is one. */
function through(bytes: Buffer, cutting: Cutting): Cutting {
  const inside = bytes.findIndex(isContinuation);
  return inside < 0 ? cutting : [...new Set([...cutting, inside])].sort((a, b) => a - b);
}

const answers = new Map(recordedAnswers().map((answer) => [answer.fixture, answer]));
const rows = fixtureEntries().flatMap((entry) => {
  const answer = answers.get(entry.id);
  if (!entry.stream || answer === undefined) return [];
  const { bytes } = recorded(entry);
  const wire: keyof typeof MODELS = entry.wire === 'anthropic-messages' ? 'anthropic' : 'openai';
  // Two cuttings of each stream, of 1 to 16 cuts: one is relayed at once, one is held by the gate to its end.
  const [first = [], second = []] = randomCuts(bytes.length, 2, bytes.length);
  return [
    { id: entry.id, wire, how: 'relayed' as const, entry, answer, cutting: through(bytes, first) },
    { id: entry.id, wire, how: 'held' as const, entry, answer, cutting: through(bytes, second) },
  ];
});

/** Each piece is a write of its own; `cuttings.test.ts` cuts everywhere, in process. */
describe('a recorded stream in pieces, over sockets', () => {
  it('comes with every stream that is an answer', () => {
    expect(rows).toHaveLength(2 * 167);
  });

  it.each(rows)('$id says what the table says, $how', async ({ wire, how, entry, answer, cutting }) => {
    gateway[wire].enqueue(replayed(entry, ...cutting));

    const { completion } = await streamed(gateway, question(MODELS[wire][how], answer));

    expect(withoutReasoning(viewOf(completion))).toEqual(
      withoutReasoning(expectedView(answer) as RecordedAnswer),
    );
  });
});
