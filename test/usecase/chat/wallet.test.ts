import type { CatalogEntries } from '../../../src/domain/catalog/catalog';
import type { ChatInput } from '../../support/chat-bench';
import { ChatBench } from '../../support/chat-bench';
import { aPrice, sampleEntries } from '../../support/sample-catalog';
import {
  answers,
  failsWith,
  group,
  HANGS,
  streams,
  streamsWords,
  type Script,
} from '../../support/scripted-behaviours';
import { aChunk, aPreamble } from '../../support/sample-frames';

/** A wallet's request is at most 10 input and 20 output tokens: 9 micro-USD at openai, 27 at anthropic. */
const ENTRIES: CatalogEntries = {
  ...sampleEntries(),
  offerings: sampleEntries().offerings.map((offering) => ({
    ...offering,
    price: offering.id === 'an' ? aPrice(300_000, 1_200_000) : aPrice(100_000, 400_000),
  })),
};
/** What an answer reports: 10 input and 2 output tokens. */
const COST = 2;

function benchWith(availableMicroUsd: number, script: Script, entries = ENTRIES): ChatBench {
  const bench = new ChatBench({ script, entries });
  bench.store.wallets.set('ten_1', { availableMicroUsd, reservedMicroUsd: 0, spentMicroUsd: 0 });
  return bench;
}

const walletOf = ({ store }: ChatBench) => store.wallets.get('ten_1');
const PAID: ChatInput = { wallet: true };

describe('a request that is paid from a wallet', () => {
  it('holds its worst case while it runs, and costs what it cost', async () => {
    const bench = benchWith(100, { 'oa-1': [answers()] });

    await bench.complete(PAID);

    expect(bench.store.only.opening).toMatchObject({ reservationMicroUsd: 9, billableId: 'req_1' });
    expect(bench.store.only.closing).toMatchObject({ state: 'served', costMicroUsd: COST });
    expect(walletOf(bench)).toEqual({ availableMicroUsd: 98, reservedMicroUsd: 0, spentMicroUsd: COST });
  });

  it('counts every choice that it asks for', async () => {
    const bench = benchWith(100, { 'oa-1': [answers()] });

    await bench.complete({ ...PAID, request: { body: { model: 'gpt-s', n: 3 } } });

    expect(bench.store.only.opening).toMatchObject({ reservationMicroUsd: 25 });
  });

  it('calls nobody where the wallet is a micro-USD short, and is on record as refused', async () => {
    const bench = benchWith(8, { 'oa-1': [answers()] });

    const reply = await bench.complete(PAID);

    expect(reply.error).toEqual({ code: 'insufficient_balance', requiredMicroUsd: 9, availableMicroUsd: 8 });
    expect(bench.provider.calls).toEqual([]);
    expect(bench.store.only).toMatchObject({
      opening: { firstAttempt: null, reservationMicroUsd: null },
      closing: { state: 'refused', errorCode: 'insufficient_balance', attempts: 0, costMicroUsd: 0 },
    });
    expect(walletOf(bench)).toMatchObject({ availableMicroUsd: 8, reservedMicroUsd: 0 });
  });

  it('holds more before a dearer fallback', async () => {
    const bench = benchWith(27, { 'oa-1': [failsWith(503)], an: [answers()] });

    const reply = await bench.complete(PAID);

    expect(reply.error).toBeUndefined();
    expect(bench.store.only.heldMicroUsd).toBe(27);
    expect(bench.store.only.closing).toMatchObject({ state: 'served', served: { provider: 'anthropic' } });
    expect(walletOf(bench)).toMatchObject({ reservedMicroUsd: 0 });
  });

  it('stops honestly before a fallback that the wallet can not pay', async () => {
    const bench = benchWith(26, { 'oa-1': [failsWith(503)], an: [answers()] });

    const reply = await bench.complete(PAID);

    expect(reply.events).toMatchObject([
      {
        kind: 'fail',
        error: { code: 'insufficient_balance', requiredMicroUsd: 27, availableMicroUsd: 26 },
        attempts: 2,
      },
    ]);
    expect(bench.provider.calls.map(({ route }) => route)).toEqual(['oa-1', 'oa-1']);
    expect(bench.store.only.closing).toMatchObject({ state: 'failed', errorCode: 'insufficient_balance' });
    expect(walletOf(bench)).toEqual({ availableMicroUsd: 26, reservedMicroUsd: 0, spentMicroUsd: 0 });
  });

  it('needs a price: unknown is never zero', async () => {
    const offerings = ENTRIES.offerings.map((offering) => ({ ...offering, price: null }));
    const bench = benchWith(100, { 'oa-1': [answers()] }, { ...ENTRIES, offerings });

    const reply = await bench.complete(PAID);

    expect(reply.error).toMatchObject({
      code: 'no_eligible_route',
      refusals: [{ detail: { reason: 'cost_unknown', of: 'price' } }],
    });
    expect(bench.provider.calls).toEqual([]);
  });

  it('charges what came before the caller left', async () => {
    const words = [group(0, aPreamble()), ...['w1', 'w2', 'w3'].map((word) => group(50, aChunk(word)))];
    const bench = benchWith(100, { 'oa-1': [streams(words)] });
    const { reply, done } = bench.begin({ ...PAID, request: { stream: true } });
    reply.leaveAfter(300);

    await bench.clock.run();
    await done;

    const { closing } = bench.store.only;
    expect(closing).toMatchObject({ state: 'cancelled', usage: { source: 'estimated', inputTokens: 10 } });
    expect(closing!.costMicroUsd).toBeGreaterThan(0);
    expect(walletOf(bench)).toEqual({
      availableMicroUsd: 100 - closing!.costMicroUsd!,
      reservedMicroUsd: 0,
      spentMicroUsd: closing!.costMicroUsd,
    });
  });

  it.each<[string, Script, ChatInput]>([
    ['fails', { 'oa-1': [failsWith(500)], an: [failsWith(500)] }, PAID],
    ['is refused by the provider', { 'oa-1': [failsWith(400)] }, PAID],
    ['is never answered', { 'oa-1': [HANGS], an: [HANGS] }, { ...PAID, options: { timeoutMs: 3_000 } }],
    ['is streamed', { 'oa-1': [streamsWords('hello')] }, { ...PAID, request: { stream: true } }],
    ['comes from a caller who is gone', { 'oa-1': [answers()] }, { ...PAID, hasLeft: true }],
  ])('leaves nothing held when it %s', async (_, script, input) => {
    const bench = benchWith(1_000, script);

    await bench.complete(input);

    const cost = bench.store.only.closing!.costMicroUsd!;
    expect(walletOf(bench)).toEqual({
      availableMicroUsd: 1_000 - cost,
      reservedMicroUsd: 0,
      spentMicroUsd: cost,
    });
  });
});

describe('a request of a tenant without a wallet', () => {
  it('holds nothing, and needs no price', async () => {
    const offerings = ENTRIES.offerings.map((offering) => ({ ...offering, price: null }));
    const bench = benchWith(0, { 'oa-1': [answers()] }, { ...ENTRIES, offerings });

    await bench.complete();

    expect(bench.store.only).toMatchObject({
      opening: { reservationMicroUsd: null, firstAttempt: { inputEstimate: null } },
      closing: { state: 'served', costMicroUsd: null },
    });
    expect(walletOf(bench)).toEqual({ availableMicroUsd: 0, reservedMicroUsd: 0, spentMicroUsd: 0 });
  });
});
