import type { OpeningRecord } from '../../src/domain/audit/audit-record';
import type { KeyClaim } from '../../src/domain/interaction/idempotency';
import type { FinalState } from '../../src/domain/interaction/interaction';
import { closing, opening, TENANT } from '../support/store/sample-records';
import type { OpenStores, Stores } from './stores';

const KEY = 'key-hash';

function claim(supersedes: string | null = null, given: Partial<KeyClaim> = {}): Partial<OpeningRecord> {
  return { idempotency: { keyHash: KEY, bodyHash: 'body-hash', supersedes, ...given } };
}

const holderAt = (requestId: string, state: string, answer: string | null = null) => ({
  requestId,
  billableId: requestId,
  bodyHash: 'body-hash',
  claimedAtMs: 10_000,
  state,
  answer,
});

/** Who holds an idempotency key: decided in the commit of an opening row, settled in that of a closing row. */
export function idempotencyKeysContract(openStores: OpenStores): void {
  let stores: Stores;
  beforeEach(async () => {
    stores = await openStores();
  });
  afterEach(() => stores.close());

  const holder = (keyHash = KEY, tenant = 'ten_1') => stores.idempotencyKeys.holderOf(tenant, keyHash);
  const open = (requestId: string, changes: Partial<OpeningRecord>) =>
    stores.interactions.open(opening(requestId, changes));
  const close = (requestId: string, state: FinalState, sealedAnswer?: string) =>
    stores.interactions.close(closing(requestId, { state, sealedAnswer }));

  describe('a key', () => {
    it("is nobody's before it is claimed, and then that of the interaction that opened with it", async () => {
      expect(await holder()).toBeNull();

      expect(await open('req_1', claim())).toEqual({ kind: 'opened' });

      expect(await holder()).toEqual(holderAt('req_1', 'open'));
      expect(await stores.auditLog.find('req_1')).toMatchObject({ idempotencyKeyUsed: true });
    });

    it('is claimed by no opening that names none', async () => {
      await open('req_1', { idempotency: null });

      expect(await holder()).toBeNull();
      expect(await stores.auditLog.find('req_1')).toMatchObject({ idempotencyKeyUsed: false });
    });

    it("is the tenant's own", async () => {
      await open('req_1', claim());

      expect(await open('req_2', { ...claim(), tenant: 'ten_2' })).toEqual({ kind: 'opened' });

      expect(await holder()).toMatchObject({ requestId: 'req_1' });
      expect(await holder(KEY, 'ten_2')).toMatchObject({ requestId: 'req_2' });
    });

    it.each<[FinalState, string | undefined]>([
      ['served', 'sealed'],
      ['served', undefined],
      ['failed', undefined],
      ['partial', undefined],
      ['cancelled', undefined],
      ['interrupted', undefined],
    ])('is settled as %s with the answer %s when its interaction closes', async (state, answer) => {
      await open('req_1', claim());

      await close('req_1', state, answer);

      expect(await holder()).toEqual(holderAt('req_1', state, answer ?? null));
    });

    it('keeps a large answer as it is', async () => {
      const answer = 'ab+/'.repeat(1_000_000);
      await open('req_1', claim());

      await close('req_1', 'served', answer);

      expect((await holder())!.answer === answer).toBe(true);
    });

    it('is left alone by a second closing', async () => {
      await open('req_1', claim());
      await close('req_1', 'served', 'sealed');

      expect(await close('req_1', 'interrupted')).toBe('already_closed');

      expect(await holder()).toEqual(holderAt('req_1', 'served', 'sealed'));
    });
  });

  describe('a claim', () => {
    it.each([
      ['runs', null],
      ['is another than was found', 'req_0'],
    ])('is refused while a holder %s, and leaves no row', async (_, supersedes) => {
      await open('req_1', claim());

      expect(await open('req_2', claim(supersedes))).toEqual({ kind: 'idempotency_taken' });

      expect(await stores.auditLog.find('req_2')).toBeUndefined();
      expect(await holder()).toEqual(holderAt('req_1', 'open'));
    });

    it('takes the key over from the interaction that was found, answer and all', async () => {
      await open('req_1', claim());
      await close('req_1', 'served', 'sealed');

      const given = { ...claim('req_1', { bodyHash: 'other' }), billableId: 'req_0', openedAtMs: 20_000 };
      expect(await open('req_2', given)).toEqual({ kind: 'opened' });

      expect(await holder()).toEqual({
        requestId: 'req_2',
        billableId: 'req_0',
        bodyHash: 'other',
        claimedAtMs: 20_000,
        state: 'open',
        answer: null,
      });
    });

    it('holds though the interaction that was found is forgotten since', async () => {
      expect(await open('req_2', claim('req_1'))).toEqual({ kind: 'opened' });
    });

    it('is made by one of many at the same instant', async () => {
      const ids = Array.from({ length: 20 }, (_, index) => `req_${index}`);

      const outcomes = await Promise.all(ids.map((id) => open(id, claim())));

      const opened = ids.filter((_, index) => outcomes[index]!.kind === 'opened');
      expect(opened).toHaveLength(1);
      expect(await holder()).toMatchObject({ requestId: opened[0] });
    });

    it('is made by one of many that found the same holder', async () => {
      await open('req_first', claim());
      await close('req_first', 'partial');
      const ids = Array.from({ length: 20 }, (_, index) => `req_${index}`);

      const outcomes = await Promise.all(ids.map((id) => open(id, claim('req_first'))));

      expect(outcomes.filter(({ kind }) => kind === 'opened')).toHaveLength(1);
    });

    it('is not made by an opening that the wallet refuses', async () => {
      await stores.tenants.insertTenant({ ...TENANT, id: 'ten_1' });

      const outcome = await open('req_1', { ...claim(), reservationMicroUsd: 1_000 });

      expect(outcome).toMatchObject({ kind: 'insufficient_balance' });
      expect(await holder()).toBeNull();
    });

    it('is undone with an opening that fails', async () => {
      await open('req_1', { idempotency: null });

      await expect(open('req_1', claim())).rejects.toThrow();

      expect(await holder()).toBeNull();
    });
  });

  describe('purge', () => {
    const claimedAt = (openedAtMs: number, keyHash: string) => ({ ...claim(null, { keyHash }), openedAtMs });

    it('forgets what was claimed until then, but for what runs', async () => {
      await open('req_old', claimedAt(100, 'old'));
      await open('req_edge', claimedAt(200, 'edge'));
      await open('req_young', claimedAt(201, 'young'));
      await open('req_running', claimedAt(100, 'running'));
      await close('req_old', 'served', 'sealed');
      await close('req_edge', 'failed');
      await close('req_young', 'served', 'sealed');

      expect(await stores.idempotencyKeys.purge(200, 10)).toBe(2);

      expect(await holder('old')).toBeNull();
      expect(await holder('edge')).toBeNull();
      expect(await holder('young')).toMatchObject({ requestId: 'req_young' });
      expect(await holder('running')).toMatchObject({ requestId: 'req_running' });
      expect(await stores.auditLog.find('req_old')).toMatchObject({ idempotencyKeyUsed: true });
    });

    it('forgets the oldest ones first, and no more than asked for', async () => {
      await open('req_2', claimedAt(20, 'second'));
      await open('req_1', claimedAt(10, 'first'));
      await close('req_1', 'served');
      await close('req_2', 'served');

      expect(await stores.idempotencyKeys.purge(200, 1)).toBe(1);

      expect(await holder('first')).toBeNull();
      expect(await holder('second')).not.toBeNull();
    });
  });

  it('counts interactions that share a billable one once, and adds up what they cost', async () => {
    await open('req_1', { openedAtMs: 1_000 });
    await open('req_2', { openedAtMs: 2_000, billableId: 'req_1' });
    await open('req_3', { openedAtMs: 3_000 });
    for (const id of ['req_1', 'req_2', 'req_3'])
      await stores.interactions.close(closing(id, { costMicroUsd: 100, attempts: 1 }));

    const usage = await stores.usageReports.usage({
      tenant: 'ten_1',
      fromMs: 0,
      toMs: 10_000,
      groupBy: 'day',
    });

    expect(usage).toMatchObject([{ interactions: 2, attempts: 3, costMicroUsd: 300 }]);
  });
}
