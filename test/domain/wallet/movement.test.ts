import fc from 'fast-check';
import {
  creditOf,
  effectOf,
  moved,
  reservationOf,
  settlementOf,
  type Movement,
} from '../../../src/domain/wallet/movement';
import { balanceOf, creditedTo, EMPTY_WALLET, type Wallet } from '../../../src/domain/wallet/wallet';

const OWNER = { tenant: 'acme', requestId: 'req_1', atMs: 7_000 };
const CREDIT = { id: 'crd_1', tenant: 'acme', atMs: 5_000, reference: 'invoice 1', note: null };

const accounts = ({ entries }: Movement) =>
  entries.map(({ account, amountMicroUsd }) => `${account} ${amountMicroUsd}`);

describe('movement', () => {
  it.each<[string, Movement, readonly string[]]>([
    ['a credit', creditOf({ ...CREDIT, amountMicroUsd: 900 }), ['funding -900', 'available 900']],
    ['a correction', creditOf({ ...CREDIT, amountMicroUsd: -900 }), ['funding 900', 'available -900']],
    ['a reservation', reservationOf(OWNER, 1, 300), ['available -300', 'reserved 300']],
    ['a cheaper end', settlementOf(OWNER, 300, 214), ['available 86', 'reserved -300', 'spent 214']],
    ['an end at the worst case', settlementOf(OWNER, 300, 300), ['reserved -300', 'spent 300']],
    ['a dearer end', settlementOf(OWNER, 300, 450), ['available -150', 'reserved -300', 'spent 450']],
    ['a free end', settlementOf(OWNER, 300, 0), ['available 300', 'reserved -300']],
    ['a free end of a free beginning', settlementOf(OWNER, 0, 0), []],
  ])('enters %s', (_, movement, expected) => {
    expect(accounts(movement)).toEqual(expected);
  });

  it.each([
    ['each raise of an interaction', reservationOf(OWNER, 1, 1), reservationOf(OWNER, 2, 1)],
    ['its end', reservationOf(OWNER, 1, 1), settlementOf(OWNER, 1, 1)],
  ])('has another id for %s', (_, one, other) => {
    expect(one.id).not.toBe(other.id);
  });

  it('has the same id for every end of an interaction, so that one of them can be booked', () => {
    expect(settlementOf(OWNER, 300, 1).id).toBe(settlementOf({ ...OWNER, atMs: 9 }, 300, 2).id);
  });

  it('always sums to zero', () => {
    const amount = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
    fc.assert(
      fc.property(amount, amount, (one, other) => {
        const movements = [
          creditOf({ ...CREDIT, amountMicroUsd: one }),
          reservationOf(OWNER, 1, one),
          settlementOf(OWNER, one, other),
        ];
        for (const { entries } of movements) {
          expect(entries.reduce((sum, { amountMicroUsd }) => sum + amountMicroUsd, 0)).toBe(0);
        }
      }),
    );
  });
});

describe('a wallet after any movements', () => {
  type Step = Readonly<{ credit: number; held: readonly number[]; cost: number }>;
  const step = fc.record<Step>({
    credit: fc.integer({ min: -5_000, max: 5_000 }),
    held: fc.array(fc.nat(500), { minLength: 1, maxLength: 3 }),
    cost: fc.nat(2_000),
  });

  it('holds its credits less its costs, and nothing for what has ended', () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        let wallet: Wallet = EMPTY_WALLET;
        for (const { credit, held, cost } of steps) {
          wallet = moved(wallet, creditOf({ ...CREDIT, amountMicroUsd: credit }));
          held.forEach((amount, index) => (wallet = moved(wallet, reservationOf(OWNER, index + 1, amount))));
          const total = held.reduce((sum, amount) => sum + amount, 0);
          wallet = moved(wallet, settlementOf(OWNER, total, cost));
        }

        const credits = steps.reduce((sum, { credit }) => sum + credit, 0);
        const costs = steps.reduce((sum, { cost }) => sum + cost, 0);
        expect(wallet).toMatchObject({ reservedMicroUsd: 0, spentMicroUsd: costs });
        expect(balanceOf(wallet)).toBe(credits - costs);
        expect(creditedTo(wallet)).toBe(credits);
      }),
    );
  });

  it('is its own effect on an empty one', () => {
    const movement = settlementOf(OWNER, 300, 214);

    expect(moved(EMPTY_WALLET, movement)).toEqual(effectOf(movement));
  });
});
