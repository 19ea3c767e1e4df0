import { found } from './found';

describe('payment-card detector', () => {
  it.each([
    ['Visa', '4111111111111111', ['4111111111111111']],
    ['Visa with spaces', 'card 4111 1111 1111 1111 12/27', ['4111 1111 1111 1111']],
    ['Visa with dashes', '4111-1111-1111-1111', ['4111-1111-1111-1111']],
    ['Mastercard', '5555555555554444, 2223003122003222', ['5555555555554444', '2223003122003222']],
    ['American Express', '3782 822463 10005', ['3782 822463 10005']],
    ['Diners Club', '3056 930902 5904', ['3056 930902 5904']],
    ['JCB', '3530111333300000', ['3530111333300000']],
    ['Discover', '6011111111111117', ['6011111111111117']],
    ['UnionPay', '6205500000000000004', ['6205500000000000004']],
    ['in full width', '４１１１１１１１１１１１１１１１', ['４１１１１１１１１１１１１１１１']],
    ['among Japanese letters', 'カード番号4111111111111111です', ['4111111111111111']],
    ['directly behind a word', 'card4111111111111111', ['4111111111111111']],
  ])('finds %s', (_name, text, values) => {
    expect(found('payment_card', text)).toEqual(values);
  });

  it.each([
    ['groups that are joined unevenly', '4111 1111-1111 1111'],
    ['groups that are joined by slashes', '4111/1111/1111/1111'],
    ['a wrong check digit', '4111111111111112'],
    ['a length that its issuer has not', '411111111111116'],
    ['no issuer', '1111111111111117'],
    ['a decimal', '0.4111111111111111'],
    ['the middle of a hash', 'a4111111111111111b'],
    // Its last two groups would be a card.
    ['a UUID', '550e8400-e29b-41d4-4111-111111111111'],
    ['a time in nanoseconds', '1764500000123456789'],
    ['a part of a longer number', '41111111111111110000'],
  ])('leaves %s alone', (_name, text) => {
    expect(found('payment_card', text)).toEqual([]);
  });
});
