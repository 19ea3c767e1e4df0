import type { OpeningRecord } from '../../src/domain/audit/audit-record';
import { bookErrors, type BookError } from '../../src/domain/wallet/books';
import { balanceOf, creditedTo } from '../../src/domain/wallet/wallet';
import type { Credit } from '../../src/domain/wallet/movement';
import type { StoredEntry } from '../../src/usecase/port/wallet-store';
import { closing, failedAttempt, FIRST_ATTEMPT, opening, TENANT } from '../support/store/sample-records';
import type { OpenStores, Stores } from './stores';

const SECOND_ATTEMPT = { ...FIRST_ATTEMPT, number: 2, action: 'retry' as const, startedAtMs: 11_060 };

function credit(amountMicroUsd: number, reference = 'invoice 1'): Credit {
  const id = `crd_${reference}`;
  return { id, tenant: 'ten_1', atMs: 5_000, amountMicroUsd, reference, note: 'wire transfer' };
}

/** Wallets, and what interactions hold of them: both ports look at the same books. */
export function walletContract(openStores: OpenStores): void {
  let stores: Stores;
  beforeEach(async () => {
    stores = await openStores();
    await stores.tenants.insertTenant(TENANT);
  });
  afterEach(async () => {
    // Whatever a test did, the books are in order after it.
    const seen = await stores.wallets.inspect('ten_1');
    if (seen !== undefined) expect(bookErrors(seen)).toEqual([]);
    await stores.close();
  });

  const withCredit = async (amountMicroUsd: number): Promise<void> => {
    await stores.wallets.switchTo('ten_1', 'wallet');
    await stores.wallets.credit(credit(amountMicroUsd));
  };
  const open = (requestId: string, reservationMicroUsd: number, changes: Partial<OpeningRecord> = {}) =>
    stores.interactions.open(opening(requestId, { reservationMicroUsd, ...changes }));
  const wallet = async () => (await stores.wallets.find('ten_1'))!;

  describe('a wallet', () => {
    it('is there once somebody has switched it on, and is empty', async () => {
      expect(await stores.wallets.find('ten_1')).toBeUndefined();
      expect(await stores.wallets.inspect('ten_1')).toBeUndefined();

      await stores.wallets.switchTo('ten_1', 'wallet');

      const empty = { availableMicroUsd: 0, reservedMicroUsd: 0, spentMicroUsd: 0 };
      expect(await wallet()).toMatchObject({ ...empty, payment: 'wallet' });
      expect(stores.configuration.tenant('ten_1')).toMatchObject({ wallet: true });
    });

    it('keeps its money when it is switched off and on again', async () => {
      await withCredit(700);

      await stores.wallets.switchTo('ten_1', 'none');

      expect(await wallet()).toMatchObject({ availableMicroUsd: 700, payment: 'none' });
      expect(stores.configuration.tenant('ten_1')).toMatchObject({ wallet: false });
      await stores.wallets.switchTo('ten_1', 'wallet');
      expect(await wallet()).toMatchObject({ availableMicroUsd: 700, payment: 'wallet' });
    });

    it('is no matter of who renames the tenant', async () => {
      await withCredit(700);

      await stores.tenants.updateTenant({ ...TENANT, name: 'Acme Europe' });

      expect(await wallet()).toMatchObject({ availableMicroUsd: 700, payment: 'wallet' });
    });
  });

  describe('credit', () => {
    it('is refused without a wallet', async () => {
      expect(await stores.wallets.credit(credit(100))).toEqual({ kind: 'no_wallet' });
    });

    it('adds up, corrections included, also below zero', async () => {
      await withCredit(1_000);
      await stores.wallets.credit(credit(-1_500, 'correction'));

      expect(await wallet()).toMatchObject({ availableMicroUsd: -500 });
      expect(creditedTo(await wallet())).toBe(-500);
    });

    it('is booked once for a reference, whatever comes with it later', async () => {
      await withCredit(1_000);

      const again = await stores.wallets.credit({ ...credit(2_000), id: 'crd_other', note: null });

      expect(again).toEqual({ kind: 'known', credit: credit(1_000) });
      expect(await wallet()).toMatchObject({ availableMicroUsd: 1_000 });
    });

    it('is booked once when it comes many times at once', async () => {
      await stores.wallets.switchTo('ten_1', 'wallet');

      const outcomes = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          stores.wallets.credit({ ...credit(100), id: `crd_${index}` }),
        ),
      );

      expect(outcomes.filter(({ kind }) => kind === 'booked')).toHaveLength(1);
      expect(await wallet()).toMatchObject({ availableMicroUsd: 100 });
    });

    it('is a change that an auditor finds, with who made it', async () => {
      await stores.wallets.switchTo('ten_1', 'wallet');

      await stores.author.actAs('key_ops', () => stores.wallets.credit(credit(1_000)));

      const { changes } = await stores.changeLog.page({ tenant: 'ten_1' }, { after: null, limit: 10 });
      expect(changes.find(({ action }) => action === 'credited')).toMatchObject({
        by: 'key_ops',
        object: { kind: 'wallet', id: 'ten_1' },
        fields: [
          { field: 'amount_micro_usd', values: { from: null, to: 1_000 } },
          { field: 'note', values: { from: null, to: 'wire transfer' } },
          { field: 'reference', values: { from: null, to: 'invoice 1' } },
        ],
      });
    });
  });

  describe('a reservation', () => {
    it('is held with the opening row and stands in the record', async () => {
      await withCredit(1_000);

      expect(await open('req_1', 300)).toEqual({ kind: 'opened' });

      expect(await wallet()).toMatchObject({ availableMicroUsd: 700, reservedMicroUsd: 300 });
      expect(await stores.auditLog.find('req_1')).toMatchObject({ reservationMicroUsd: 300 });
    });

    it('may take the last micro-USD, and not one more', async () => {
      await withCredit(300);

      expect(await open('req_over', 301)).toEqual({
        kind: 'insufficient_balance',
        requiredMicroUsd: 301,
        availableMicroUsd: 300,
      });
      expect(await open('req_exact', 300)).toEqual({ kind: 'opened' });
    });

    it('leaves nothing behind when it is refused', async () => {
      await withCredit(300);

      await open('req_1', 301);

      expect(await stores.auditLog.find('req_1')).toBeUndefined();
      expect(await wallet()).toMatchObject({ availableMicroUsd: 300, reservedMicroUsd: 0 });
    });

    it('is refused where no wallet was ever opened', async () => {
      expect(await open('req_1', 1)).toMatchObject({ kind: 'insufficient_balance', availableMicroUsd: 0 });
    });

    it('needs no money for what costs none', async () => {
      await stores.wallets.switchTo('ten_1', 'wallet');

      expect(await open('req_1', 0)).toEqual({ kind: 'opened' });
    });

    it('is held once for an id that comes twice in one commit', async () => {
      await withCredit(1_000);

      const outcomes = await Promise.allSettled([open('req_1', 300), open('req_1', 300), open('req_2', 300)]);

      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await wallet()).toMatchObject({ availableMicroUsd: 400, reservedMicroUsd: 600 });
    });

    it('never overdraws the wallet: of 200 at once, those go on that it can pay', async () => {
      await withCredit(50 * 300);
      const ids = Array.from({ length: 200 }, (_, index) => `req_${index}`);

      const outcomes = await Promise.all(ids.map((id) => open(id, 300)));

      expect(outcomes.filter(({ kind }) => kind === 'opened')).toHaveLength(50);
      expect(await wallet()).toMatchObject({ availableMicroUsd: 0, reservedMicroUsd: 50 * 300 });
    });
  });

  describe('before a further attempt', () => {
    beforeEach(async () => {
      await withCredit(1_000);
      await open('req_1', 300);
    });
    const advance = (reservationMicroUsd: number | null) =>
      stores.interactions.advance('req_1', failedAttempt(), SECOND_ATTEMPT, reservationMicroUsd);

    it('is raised to what the interaction may cost by now', async () => {
      expect(await advance(900)).toEqual({ kind: 'advanced' });

      expect(await wallet()).toMatchObject({ availableMicroUsd: 100, reservedMicroUsd: 900 });
      expect(await stores.auditLog.find('req_1')).toMatchObject({ reservationMicroUsd: 900 });
    });

    it.each([300, 200])('stays as it is when %s are enough', async (enough) => {
      expect(await advance(enough)).toEqual({ kind: 'advanced' });

      expect(await wallet()).toMatchObject({ availableMicroUsd: 700, reservedMicroUsd: 300 });
    });

    it('refuses what the wallet can not pay, counting what is held, and writes nothing', async () => {
      expect(await advance(1_001)).toEqual({
        kind: 'insufficient_balance',
        requiredMicroUsd: 1_001,
        availableMicroUsd: 1_000,
      });

      expect((await stores.auditLog.find('req_1'))!.ledger).toMatchObject([
        { number: 1, outcome: 'running' },
      ]);
      expect(await wallet()).toMatchObject({ availableMicroUsd: 700, reservedMicroUsd: 300 });
    });

    it('is not begun by an interaction that holds nothing', async () => {
      await stores.interactions.open(opening('req_2', { reservationMicroUsd: null }));

      await stores.interactions.advance('req_2', failedAttempt(), SECOND_ATTEMPT, 500);

      expect(await wallet()).toMatchObject({ reservedMicroUsd: 300 });
    });
  });

  describe('a settlement', () => {
    const closed = (costMicroUsd: number | null) =>
      stores.interactions.close(closing('req_1', { costMicroUsd }));

    it.each([
      ['the cost in the place of the reservation', 214, 214],
      ['nothing for what cost nothing', 0, 0],
      ['all that was held where the cost is unknown', null, 300],
      ['more than was held where a provider charged more', 450, 450],
    ])('takes %s', async (_, costMicroUsd, spentMicroUsd) => {
      await withCredit(1_000);
      await open('req_1', 300);

      await closed(costMicroUsd);

      expect(await wallet()).toMatchObject({ reservedMicroUsd: 0, spentMicroUsd });
      expect(balanceOf(await wallet())).toBe(1_000 - spentMicroUsd);
    });

    it('can leave less than nothing, and then nothing more is begun', async () => {
      await withCredit(300);
      await open('req_1', 300);

      await closed(450);

      expect(await wallet()).toMatchObject({ availableMicroUsd: -150 });
      expect(await open('req_2', 1)).toMatchObject({ kind: 'insufficient_balance', availableMicroUsd: -150 });
    });

    it('happens once, however often and by whomever the interaction is closed', async () => {
      await withCredit(1_000);
      await open('req_1', 300);

      const outcomes = await Promise.all([closed(214), closed(300), closed(null)]);

      expect(outcomes).toEqual(['closed', 'already_closed', 'already_closed']);
      expect(await wallet()).toMatchObject({
        availableMicroUsd: 786,
        reservedMicroUsd: 0,
        spentMicroUsd: 214,
      });
    });

    it('is none for an interaction that held nothing', async () => {
      await withCredit(1_000);
      await stores.interactions.open(opening('req_1', { reservationMicroUsd: null }));

      await closed(214);

      expect(await wallet()).toMatchObject({ availableMicroUsd: 1_000, spentMicroUsd: 0 });
    });

    it('happens also when the wallet was switched off meanwhile', async () => {
      await withCredit(1_000);
      await open('req_1', 300);
      await stores.wallets.switchTo('ten_1', 'none');

      await closed(214);

      expect(await wallet()).toMatchObject({ reservedMicroUsd: 0, spentMicroUsd: 214 });
    });
  });

  it('is inspected as it is at one moment, also while requests are paid from it', async () => {
    await withCredit(100_000);
    const pay = async (requestId: string) => {
      await open(requestId, 300);
      await stores.interactions.close(closing(requestId));
    };
    const paid = Promise.all(
      Array.from({ length: 4 }, async (_, payer) => {
        for (let index = 0; index < 15; index += 1) await pay(`req_${payer}_${index}`);
      }),
    );

    const seen: BookError[] = [];
    for (let look = 0; look < 15; look += 1) {
      seen.push(...bookErrors((await stores.wallets.inspect('ten_1'))!));
      await new Promise(setImmediate);
    }
    await paid;

    expect(seen).toEqual([]);
  });

  describe('entries', () => {
    beforeEach(async () => {
      await withCredit(1_000);
      await open('req_1', 300);
      await stores.interactions.close(closing('req_1'));
    });
    const pageAfter = (after: StoredEntry | null, limit: number) =>
      stores.wallets.entries('ten_1', { after, limit });

    it('tell every movement, newest first', async () => {
      const { entries, next } = await pageAfter(null, 100);

      expect(next).toBeNull();
      expect(entries.map(({ kind, account, amountMicroUsd }) => [kind, account, amountMicroUsd])).toEqual([
        ['settlement', 'spent', 214],
        ['settlement', 'reserved', -300],
        ['settlement', 'available', 86],
        ['reservation', 'reserved', 300],
        ['reservation', 'available', -300],
        ['credit', 'funding', -1_000],
        ['credit', 'available', 1_000],
      ]);
      expect(entries[0]).toMatchObject({ movement: 'req_1/settlement', requestId: 'req_1', atMs: 12_000 });
      expect(entries.at(-1)).toMatchObject({
        reference: 'invoice 1',
        note: 'wire transfer',
        requestId: null,
      });
    });

    it('come in pages that hold each of them once, also while entries are added', async () => {
      const seen: StoredEntry[] = [];
      let after: StoredEntry | null = null;
      do {
        const page = await pageAfter(after, 2);
        seen.push(...page.entries);
        after = page.next === null ? null : page.entries.at(-1)!;
        await stores.wallets.credit({ ...credit(1, `later ${seen.length}`), atMs: 99_000 });
      } while (after !== null);

      expect(seen.map(({ movement, account }) => `${movement} ${account}`)).toHaveLength(7);
      expect(new Set(seen.map(({ movement, account }) => `${movement} ${account}`)).size).toBe(7);
    });

    it('are the tenant’s own', async () => {
      expect((await stores.wallets.entries('ten_2', { after: null, limit: 10 })).entries).toEqual([]);
    });
  });
}
