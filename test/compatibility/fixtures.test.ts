import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { TestGateway } from '../support/gateway';
import { question, streamed } from './asked';
import { expectedView, viewOf, withoutReasoning } from './client-view';
import {
  fixtureEntries,
  fixtureEntry,
  recordedAnswers,
  replayed,
  type BilledUsage,
  type FixtureEntry,
  type RecordedAnswer,
} from './recorded-fixture';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway.stop());

/** The next upstream call on the fixture's wire is answered with its bytes. */
function replay(entry: FixtureEntry): string {
  const anthropic = entry.wire === 'anthropic-messages';
  gateway[anthropic ? 'anthropic' : 'openai'].enqueue(replayed(entry));
  return anthropic ? 'claude-haiku-4-5' : 'gpt-4o-mini';
}

function billedOf({ usage, billed }: RecordedAnswer): BilledUsage | null {
  if (billed !== undefined || usage === null) return billed ?? null;
  const { prompt, completion, cached, reasoning } = usage;
  return { input: prompt, output: completion, cached, reasoning };
}

describe('a recorded answer, replayed through the whole gateway', () => {
  const rows = recordedAnswers().map((answer) => ({ fixture: answer.fixture, answer }));

  it('has a row in the table for every fixture that answers on one of our two wires', () => {
    const answers = fixtureEntries().filter(
      ({ wire, fault, tags }) =>
        ['openai-chat', 'anthropic-messages'].includes(wire) &&
        fault === null &&
        !tags.includes('request_only'),
    );

    const listed = new Set(rows.map(({ fixture }) => fixture));
    expect(answers.filter(({ id }) => !listed.has(id))).toEqual([]);
    expect(rows).toHaveLength(338);
  });

  it.each(rows)('$fixture is what the official client reads, whole', async ({ fixture, answer }) => {
    const model = replay(fixtureEntry(fixture));

    const completion = await gateway.client().chat.completions.create(question(model, answer));

    expect(viewOf(completion)).toEqual(expectedView(answer));
    expect(completion).toMatchObject({ object: 'chat.completion', model });
    await expectServed(completion._request_id, answer);
  });

  it.each(rows)('$fixture is what the official client reads, streamed', async ({ fixture, answer }) => {
    const model = replay(fixtureEntry(fixture));

    const { completion, chunks, requestId } = await streamed(gateway, question(model, answer));

    expect(withoutReasoning(viewOf(completion))).toEqual(
      withoutReasoning(expectedView(answer) as RecordedAnswer),
    );
    expect(reasoningIn(chunks)).toBe(answer.choices.map(({ reasoning = '' }) => reasoning).join(''));
    expect(new Set(chunks.map((chunk) => chunk.model))).toEqual(new Set([model]));
    expect(chunks.flatMap(({ choices }) => choices).every(({ delta }) => typeof delta === 'object')).toBe(
      true,
    );
    expect(chunks.filter(({ usage }) => usage != null)).toHaveLength(answer.usage === null ? 0 : 1);
    await expectServed(requestId, answer);
  });
});

/** The audit record calls it no fault, and holds the tokens that are paid for. */
async function expectServed(requestId: string | null | undefined, answer: RecordedAnswer): Promise<void> {
  const record = await gateway.record(requestId);
  expect(record).toMatchObject({ state: 'served', attempts: 1, ledger: [{ fault: null }] });
  expectBilled(record['usage']!, answer);
}

function expectBilled(usage: object, answer: RecordedAnswer): void {
  const billed = billedOf(answer);
  if (billed === null) return expect(usage).toMatchObject({ source: 'estimated' });
  expect(usage).toMatchObject({
    input_tokens: billed.input,
    output_tokens: billed.output,
    reasoning_tokens: billed.reasoning,
    source: 'provider',
  });
  expect((usage as { cached_input_tokens: number | null }).cached_input_tokens ?? 0).toBe(billed.cached ?? 0);
}

/** The same reasoning may ride in two members; it is one. */
function reasoningIn(chunks: readonly ChatCompletionChunk[]): string {
  return chunks
    .flatMap(({ choices }) => choices)
    .map(({ delta }) => delta as { reasoning_content?: string | null; reasoning?: string | null })
    .map((delta) => delta.reasoning_content ?? delta.reasoning ?? '')
    .join('');
}
