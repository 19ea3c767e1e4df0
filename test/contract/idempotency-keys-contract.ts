import type { KeyClaim } from '../../src/domain/interaction/idempotency';
import { closing, opening } from '../support/store/sample-records';
import type { OpenStores, Stores } from './stores';

const CLAIM: KeyClaim = { keyHash: 'key-hash', bodyHash: 'body-hash', supersedes: null };

export function idempotencyKeysContract(openStores: OpenStores): void {
  let stores: Stores;
  beforeEach(async () => {
    stores = await openStores();
  });
  afterEach(() => stores.close());

  const open = (requestId: string, claim: Partial<KeyClaim> = {}, tenant = 'ten_1') =>
    stores.interactions.open(opening(requestId, { tenant, idempotency: { ...CLAIM, ...claim } }));
  const holder = (tenant = 'ten_1') => stores.idempotencyKeys.holderOf(tenant, 'key-hash');

  it("is nobody's before it is claimed", async () => {
    expect(await holder()).toBeNull();
  });

  it('is held from the opening on', async () => {
    expect(await open('req_1')).toEqual({ kind: 'opened' });

    expect(await holder()).toEqual({
      requestId: 'req_1',
      billableId: opening('req_1').billableId,
      bodyHash: 'body-hash',
      claimedAtMs: 10_000,
      state: 'open',
      answer: null,
    });
  });

  it('is taken to anybody else, who writes nothing', async () => {
    await open('req_1');

    expect(await open('req_2')).toEqual({ kind: 'idempotency_taken' });

    expect(await stores.auditLog.find('req_2')).toBeUndefined();
    expect(await holder()).toMatchObject({ requestId: 'req_1' });
  });

  it("of one tenant is no other's", async () => {
    await open('req_1');

    expect(await open('req_2', {}, 'ten_2')).toEqual({ kind: 'opened' });

    expect(await holder('ten_2')).toMatchObject({ requestId: 'req_2' });
  });

  it('is held by one of many openings at once', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `req_${index}`);

    const openings = await Promise.all(ids.map((id) => open(id)));

    expect(openings.filter(({ kind }) => kind === 'opened')).toHaveLength(1);
    expect(openings.filter(({ kind }) => kind === 'idempotency_taken')).toHaveLength(19);
  });

  it('keeps how its holder ended, and the sealed answer', async () => {
    await open('req_1');

    await stores.interactions.close(closing('req_1', { sealedAnswer: 'sealed' }));

    expect(await holder()).toMatchObject({ requestId: 'req_1', state: 'served', answer: 'sealed' });
  });

  it('goes to who supersedes its holder, and to the first of them only', async () => {
    await open('req_1');
    await stores.interactions.close(closing('req_1', { state: 'failed' }));

    const openings = await Promise.all([
      open('req_2', { supersedes: 'req_1', bodyHash: 'other' }),
      open('req_3', { supersedes: 'req_1' }),
    ]);

    expect(openings).toEqual([{ kind: 'opened' }, { kind: 'idempotency_taken' }]);
    expect(await holder()).toMatchObject({ requestId: 'req_2', bodyHash: 'other', state: 'open' });
  });

  it('is forgotten once its holder has ended and its day is over', async () => {
    await open('req_1');
    expect(await stores.idempotencyKeys.purge(10_000, 10)).toBe(0);
    await stores.interactions.close(closing('req_1'));

    expect(await stores.idempotencyKeys.purge(9_999, 10)).toBe(0);
    expect(await stores.idempotencyKeys.purge(10_000, 10)).toBe(1);

    expect(await holder()).toBeNull();
  });
}
