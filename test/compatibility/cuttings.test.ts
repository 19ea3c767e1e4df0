import { passPieces, joined, piecesOf, type BothGates, type StreamWire } from './cut-pipeline';
import { combCuts, randomCuts, singleCuts, type Cutting } from './cuttings';
import { fixtureEntries, recorded, recordedAnswers, type FixtureEntry } from './recorded-fixture';

/** Streams up to here are cut at every offset, those above in random places. */
const EVERY_OFFSET_BYTES = 20_000;
/** Up to here with one cut at a time; above, every offset is still cut, but a run cuts many, this far apart. */
const SINGLE_CUT_BYTES = 1_500;
const TEETH = 31;
const RANDOM_CUTTINGS = 1_000;

// A thousand runs of the longest stream take seconds where other suites run beside this one.
jest.setTimeout(60_000);

const answers = new Map(recordedAnswers().map((answer) => [answer.fixture, answer]));
const rows = fixtureEntries()
  .filter(({ stream, wire }) => stream && ['openai-chat', 'anthropic-messages'].includes(wire))
  .map((entry) => ({ id: entry.id, entry }));

function cuttingsOf(length: number, seed: number): readonly Cutting[] {
  if (length > EVERY_OFFSET_BYTES) return randomCuts(length, RANDOM_CUTTINGS, seed);
  return length > SINGLE_CUT_BYTES ? combCuts(length, TEETH) : singleCuts(length);
}

function pass(entry: FixtureEntry, cutting: Cutting): Promise<BothGates> {
  const { bytes } = recordedOnce(entry);
  const choices = answers.get(entry.id)?.choices.length ?? 1;
  return passPieces(piecesOf(bytes, cutting), entry.wire as StreamWire, choices);
}

const cache = new Map<string, ReturnType<typeof recorded>>();

function recordedOnce(entry: FixtureEntry): ReturnType<typeof recorded> {
  const found = cache.get(entry.id) ?? recorded(entry);
  cache.set(entry.id, found);
  return found;
}

/**
 * At the level of adapter and gate, over byte pieces in process: through sockets the kernel glues pieces together, and so
 * many runs would take hours. `cuttings-over-sockets.test.ts` has a sample over sockets.
 */
describe('a recorded stream in pieces', () => {
  it('comes with enough fixtures', () => {
    expect(rows).toHaveLength(178);
  });

  it.each(rows)('$id says the same wherever it is cut, held by the gate or not', async ({ entry }) => {
    const whole = await pass(entry, []);
    const { length } = recordedOnce(entry).bytes;

    const different: Cutting[] = [];
    for (const cutting of cuttingsOf(length, length)) {
      const cut = await pass(entry, cutting);
      if (!isSame(cut, whole)) different.push(cutting);
    }

    expect(different).toEqual([]);
  });

  it.each(rows)('$id says in one piece what the table says', async ({ entry }) => {
    const { first_output, complete } = await pass(entry, []);

    const answer = answers.get(entry.id);
    if (answer === undefined) {
      // A failure: what came before it was relayed, unless the whole answer was to be held.
      expect(JSON.parse(first_output.outcome)).toMatchObject({ kind: 'failed' });
      expect(complete).toMatchObject({ text: '', outcome: first_output.outcome });
    } else {
      expect(joined(first_output.released)).toEqual(
        answer.choices.map(({ reasoning: _reasoning, ...choice }) => choice),
      );
      expect(complete.text).toBe(first_output.text);
      expect(complete.outcome).toBe('{"kind":"ended"}');
    }
  });
});

function isSame(cut: BothGates, whole: BothGates): boolean {
  if (cut.complete.timing === 'before_the_end') return false;
  return (['first_output', 'complete'] as const).every(
    (mode) => cut[mode].text === whole[mode].text && cut[mode].outcome === whole[mode].outcome,
  );
}
