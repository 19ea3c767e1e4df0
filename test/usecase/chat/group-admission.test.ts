import { groupCounters } from '../../../src/domain/rate/rate-counter';
import type { TenantGroup } from '../../../src/domain/tenant/tenant';
import { ChatBench, type ChatInput } from '../../support/chat-bench';
import type { RecordingReply } from '../../support/recording-reply';
import { CLAUDE, GPT } from '../../support/sample-plan';
import { answers, failsWith } from '../../support/scripted-behaviours';
import type { Script } from '../../support/scripted-behaviours';

const MINUTE_MS = 60_000;
const ANSWERS = [answers()];
/** gpt-s at openai: oa-1 is in the group standard, oa-2 in premium; an (claude-s) is in standard. */
const BOTH: Script = { 'oa-1': ANSWERS, 'oa-2': ANSWERS };
const groups = (standard: number | null, premium: number | null): readonly TenantGroup[] => [
  { name: 'standard', rpm: standard },
  { name: 'premium', rpm: premium },
];
const CHAIN = ['premium', 'standard'];

const benchOf = (script: Script, policy: object = {}): ChatBench =>
  new ChatBench({ script, policy: { match: ['*'], primary: GPT, ...policy } });

const calls = (bench: ChatBench): Record<string, number> =>
  Object.fromEntries(['oa-1', 'oa-2', 'an'].map((route) => [route, bench.provider.callsOf(route).length]));

const reasons = ({ error }: RecordingReply): readonly string[] =>
  error !== undefined && 'refusals' in error ? error.refusals.map(({ detail }) => detail.reason) : [];

async function repeat(bench: ChatBench, count: number, input: ChatInput): Promise<readonly RecordingReply[]> {
  const replies: RecordingReply[] = [];
  for (let nth = 0; nth < count; nth += 1) replies.push(await bench.complete(input));
  return replies;
}

describe('the group chain of a key', () => {
  const input = { keyGroups: CHAIN, groups: groups(2, 1) };

  it('serves from the next group when the first is full, and ends in a 429', async () => {
    const bench = benchOf(BOTH);

    const replies = await repeat(bench, 4, input);

    expect(calls(bench)).toEqual({ 'oa-1': 2, 'oa-2': 1, an: 0 });
    expect(replies.map(({ error }) => error?.code)).toEqual([
      undefined,
      undefined,
      undefined,
      'rate_limit_exceeded',
    ]);
    expect(bench.store.violations).toEqual([]);
  });

  it('tells both groups and the shorter wait', async () => {
    const bench = benchOf(BOTH);
    await repeat(bench, 1, input);
    await bench.clock.advance(10_000);
    await repeat(bench, 2, input);

    const reply = await bench.complete(input);

    const premiumWaitMs = MINUTE_MS - 10_000 - 3 * 150;
    expect(reply.error).toMatchObject({
      code: 'rate_limit_exceeded',
      retryAfterMs: premiumWaitMs,
      refusals: [
        {
          route: { id: 'oa-2' },
          detail: { reason: 'group_rpm', group: 'premium', retryAfterMs: premiumWaitMs },
        },
        { route: { id: 'oa-1' }, detail: { reason: 'group_rpm', group: 'standard' } },
      ],
    });
    expect(bench.store.interactions.get('req_4')?.closing).toMatchObject({
      state: 'refused',
      errorCode: 'rate_limit_exceeded',
      refusals: [{ detail: { reason: 'group_rpm' } }, { detail: { reason: 'group_rpm' } }],
    });
  });

  it('records as a channel fallback what another group served, and tells the caller nothing', async () => {
    const bench = benchOf(BOTH);
    await bench.complete(input);

    const reply = await bench.complete(input);

    expect(reply.facts).toMatchObject({ provider: 'openai', failover: null, attempts: 1 });
    const second = bench.store.interactions.get('req_2');
    expect(second?.opening).toMatchObject({
      firstAttempt: { action: 'channel_fallback', route: { id: 'oa-1' } },
      refusals: [{ route: { id: 'oa-2' }, detail: { reason: 'group_rpm', group: 'premium' } }],
    });
  });

  it('is there again when the minute is over', async () => {
    const bench = benchOf(BOTH);
    await repeat(bench, 3, input);

    await bench.clock.advance(MINUTE_MS);
    await bench.complete(input);

    expect(calls(bench)).toMatchObject({ 'oa-2': 2 });
  });

  it('never leads to a group that the key does not name', async () => {
    const bench = benchOf(BOTH);

    const [, second] = await repeat(bench, 2, { keyGroups: ['premium'], groups: groups(null, 1) });

    expect(second?.error?.code).toBe('rate_limit_exceeded');
    expect(second && reasons(second)).toEqual(['group_rpm', 'tenant_excluded']);
    expect(calls(bench)).toMatchObject({ 'oa-1': 0 });
  });

  const ABROAD = { keyGroups: CHAIN, groups: groups(null, 1) };
  const listed = { fallbacks: [CLAUDE] };

  it('leads to another provider by every opt-in, and says so', async () => {
    const bench = benchOf({ 'oa-2': ANSWERS, an: ANSWERS }, listed);

    const [first, second] = await repeat(bench, 2, ABROAD);

    expect(first?.facts?.provider).toBe('openai');
    expect(second?.facts).toMatchObject({
      provider: 'anthropic',
      failover: { reason: 'primary_not_eligible', fromProvider: 'openai' },
    });
  });

  it.each<{ name: string; policy: object; failover?: boolean }>([
    { name: 'a policy that lists it', policy: {} },
    {
      name: 'rate_limited in failover_on',
      policy: { ...listed, settings: { failoverOn: ['server_error'] } },
    },
    { name: "the tenant's feature", policy: listed, failover: false },
  ])('leads to no other provider without $name', async ({ policy, failover = true }) => {
    const bench = benchOf({ 'oa-2': ANSWERS, an: ANSWERS }, policy);

    const [, second] = await repeat(bench, 2, { ...ABROAD, failover });

    expect(second?.error?.code).toBe('rate_limit_exceeded');
    expect(calls(bench)).toMatchObject({ an: 0 });
  });
});

describe('a place in a group', () => {
  it('is one for a request, however often it is retried there', async () => {
    const settings = { retry: { maxRetries: 3, jitter: 0 } };
    const bench = benchOf({ 'oa-1': [failsWith(503), failsWith(503), answers()] }, { settings });

    const first = await bench.complete({ groups: groups(1, null) });
    const second = await bench.complete({ groups: groups(1, null) });

    expect(first.error).toBeUndefined();
    expect(calls(bench)['oa-1']).toBe(3);
    expect(second.error?.code).toBe('rate_limit_exceeded');
  });

  it('is one for all of its channels, also when it was the last', async () => {
    const bench = benchOf({ 'oa-1': [failsWith(401)], an: ANSWERS }, { fallbacks: [CLAUDE] });

    const reply = await bench.complete({ groups: groups(1, null) });

    expect(reply.facts).toMatchObject({ provider: 'anthropic', attempts: 2 });
  });

  it('is taken in each group in which an attempt is made', async () => {
    const bench = benchOf({ 'oa-2': [failsWith(501)], 'oa-1': ANSWERS });
    const limits = groups(5, 5);

    await bench.complete({ keyGroups: CHAIN, groups: limits });

    const states = await bench.rates.look(groupCounters({ id: 'ten_1', groups: limits }));
    expect(states.map(({ remaining }) => remaining)).toEqual([4, 4]);
  });

  it('is not taken by who is refused, nor by who leaves before his attempt', async () => {
    const bench = benchOf(BOTH);
    const limits = groups(5, 5);
    await bench.complete({
      groups: limits,
      eligibility: { allowedRegions: ['jp'], exclusions: [], allowList: null },
    });
    await bench.complete({ groups: limits, hasLeft: true });

    const states = await bench.rates.look(groupCounters({ id: 'ten_1', groups: limits }));

    expect(states.map(({ remaining }) => remaining)).toEqual([5, 5]);
  });

  it('that is the last goes to one of two who race for it, and the other moves on', async () => {
    const bench = benchOf(BOTH);
    const input = { keyGroups: CHAIN, groups: groups(1, 1) };

    const racers = [bench.begin(input), bench.begin(input), bench.begin(input)];
    await bench.clock.run();
    await Promise.all(racers.map(({ done }) => done));

    expect(calls(bench)).toEqual({ 'oa-1': 1, 'oa-2': 1, an: 0 });
    expect(racers.map(({ reply }) => reply.error?.code)).toEqual([
      undefined,
      undefined,
      'rate_limit_exceeded',
    ]);
    // All three had been planned for the first group, so only the race can say why two of them weren't served there.
    const moved = bench.store.interactions.get('req_2');
    expect(moved?.opening.refusals).toEqual([]);
    expect(moved?.closing?.refusals).toMatchObject([
      { route: { id: 'oa-2' }, detail: { reason: 'group_rpm', group: 'premium', retryAfterMs: MINUTE_MS } },
    ]);
    expect(bench.store.violations).toEqual([]);
  });

  it('lost in a race leaves the trial of a circuit to others', async () => {
    const bench = benchOf(
      { 'oa-1': [...Array<ReturnType<typeof failsWith>>(3).fill(failsWith(503)), answers()] },
      {
        settings: { retry: { maxRetries: 0 } },
      },
    );
    for (let failed = 0; failed < 3; failed += 1) await bench.complete();
    await bench.clock.advance(MINUTE_MS);
    const input = { groups: groups(1, null) };
    const take = bench.rates.take.bind(bench.rates);
    bench.rates.take = async (asked) => {
      // Somebody else comes first.
      await take(asked);
      return take(asked);
    };

    const lost = await bench.complete(input);
    bench.rates.take = take;
    await bench.clock.advance(MINUTE_MS);
    const later = await bench.complete(input);

    expect(lost.error?.code).toBe('rate_limit_exceeded');
    expect(later.error).toBeUndefined();
    expect(bench.circuitOf('oa-1').state).toBe('closed');
  });
});

describe('a smart key', () => {
  it('takes the group that its strategy puts first, and the next when that is full', async () => {
    const bench = benchOf(BOTH);
    // oa-1 and oa-2 cost the same, so the order of the tenant decides between them.
    const input = { groupStrategy: 'cost', groups: [...groups(null, 1)].toReversed() } as const;

    await repeat(bench, 2, input);

    expect(calls(bench)).toEqual({ 'oa-1': 1, 'oa-2': 1, an: 0 });
  });

  it('prefers what was seen to be fast', async () => {
    const bench = benchOf({ 'oa-1': [answers('slow', 900)], 'oa-2': [answers('fast', 20)] });
    await bench.complete({ keyGroups: ['standard'] });
    await bench.complete({ keyGroups: ['premium'] });

    await bench.complete({ groupStrategy: 'latency' });

    expect(calls(bench)).toEqual({ 'oa-1': 1, 'oa-2': 2, an: 0 });
  });
});

describe('a tenant without a limited group', () => {
  it.each([null, groups(null, null)])('asks no counter: %j', async (unlimited) => {
    const bench = benchOf(BOTH);
    const asked: string[] = [];
    bench.rates.look = async () => (asked.push('look'), []);
    bench.rates.take = async () => (asked.push('take'), { admitted: false, remaining: 0, resetMs: 0 });

    const reply = await bench.complete({ groups: unlimited });

    expect(reply.error).toBeUndefined();
    expect(asked).toEqual([]);
  });
});

describe('an attempt that is not made', () => {
  const input = { groups: groups(2, null) };

  // Two requests of a tenant without money, and the next one of a paying minute was told to wait.
  it('uses up nothing of its group: no money', async () => {
    const bench = benchOf({ 'oa-1': ANSWERS });
    const poor = await repeat(bench, 3, { ...input, wallet: true });
    const served = await repeat(bench, 2, input);

    expect(poor.map(({ error }) => error?.code)).toEqual(Array(3).fill('insufficient_balance'));
    expect(served.map(({ error }) => error)).toEqual([undefined, undefined]);
  });

  it('uses up nothing of its group: no store', async () => {
    const bench = benchOf({ 'oa-1': ANSWERS });
    bench.store.mood = () => 'unavailable';
    await repeat(bench, 3, input);
    bench.store.mood = () => 'fine';

    const replies = await repeat(bench, 3, input);

    expect(replies.map(({ error }) => error?.code)).toEqual([undefined, undefined, 'rate_limit_exceeded']);
  });
});
