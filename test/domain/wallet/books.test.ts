import { bookErrors, type BooksSeen } from '../../../src/domain/wallet/books';

const WALLET = { availableMicroUsd: 700, reservedMicroUsd: 200, spentMicroUsd: 100 };
const AGREED: BooksSeen = {
  wallet: WALLET,
  entries: { ...WALLET, fundingMicroUsd: -1_000 },
  unbalancedMovement: null,
  heldByOpenMicroUsd: 200,
  misSettled: null,
  unprovenCredit: null,
};

describe('books', () => {
  it('are in order when everything agrees', () => {
    expect(bookErrors(AGREED)).toEqual([]);
  });

  it.each<[string, Partial<BooksSeen>, readonly string[]]>([
    ...(['availableMicroUsd', 'reservedMicroUsd', 'spentMicroUsd'] as const).map(
      (account): [string, Partial<BooksSeen>, readonly string[]] => [
        `another ${account} than the entries'`,
        { wallet: { ...WALLET, [account]: WALLET[account] + 1 } },
        account === 'reservedMicroUsd'
          ? ['balance_differs_from_entries', 'reserved_differs_from_open_interactions']
          : ['balance_differs_from_entries'],
      ],
    ),
    ['an unbalanced movement', { unbalancedMovement: 'req_1/settlement' }, ['entries_not_balanced']],
    [
      'funding that is not what arrived',
      { entries: { ...WALLET, fundingMicroUsd: -999 } },
      ['entries_not_balanced'],
    ],
    [
      'a reservation without an open interaction',
      { heldByOpenMicroUsd: 0 },
      ['reserved_differs_from_open_interactions'],
    ],
    ['a settlement that is not the cost', { misSettled: 'req_1' }, ['settlement_differs_from_cost']],
    [
      'a credit that nobody is on record for',
      { unprovenCredit: 'invoice 1' },
      ['credit_differs_from_change'],
    ],
  ])('name %s', (_, changes, expected) => {
    expect(bookErrors({ ...AGREED, ...changes })).toEqual(expected);
  });
});
