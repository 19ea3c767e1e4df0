import { found } from './found';

describe('phone detector', () => {
  it.each([
    ['E.164', '+442071838750', ['+442071838750']],
    ['Japan from abroad', '+81 90-1234-5678', ['+81 90-1234-5678']],
    ['North America from abroad', 'call +1 (415) 555-2671 now', ['+1 (415) 555-2671']],
    ['a trunk zero in parens', '+44 (0)20 7183 8750', ['+44 (0)20 7183 8750']],
    [
      'North America',
      '(415) 555-2671 or 415-555-2671 or 415.555.2671',
      ['(415) 555-2671', '415-555-2671', '415.555.2671'],
    ],
    [
      'Japan',
      '03-1234-5678, (03)1234-5678, 090-1234-5678',
      ['03-1234-5678', '(03)1234-5678', '090-1234-5678'],
    ],
    ['Japan in full width', '０９０－１２３４－５６７８', ['０９０－１２３４－５６７８']],
    ['with the long vowel sign for a dash', '０９０ー１２３４ー５６７８', ['０９０ー１２３４ー５６７８']],
    ['Japan, a mobile in one piece', '携帯は09012345678です', ['09012345678']],
    ['United Kingdom', '020 7183 8750', ['020 7183 8750']],
    ['France', '06 12 34 56 78', ['06 12 34 56 78']],
    ['Germany', '0171/1234567', ['0171/1234567']],
    ['anything that is labelled', 'phone: 4155552671', ['4155552671']],
    ['labelled in Japanese', '電話番号 12345678', ['12345678']],
  ])('finds %s', (_name, text, values) => {
    expect(found('phone', text)).toEqual(values);
  });

  it.each([
    ['signs of two kinds between', '+81 90-/1234-5678'],
    ['too many digits', '+81 9012345678901234'],
    ['a label with too few digits', 'tel 12345'],
    ['a label with a word', 'tel 1234567x'],
    ['a UUID', '550e8400-e29b-41d4-a716-446655440000'],
    ['a UUID of digits', '01111111-1111-4111-8111-111111111111'],
    ['a time', '2026-11-30T10:42:01+00:00'],
    ['a date', '01-02-2026'],
    ['a Unix time', '1764500000'],
    ['a Unix time in milliseconds', '1764500000123'],
    ['an order number', 'order 4155552671'],
    ['a bare number', '12345678901'],
    ['an amount with a sign', '+30 000 000'],
    ['a decimal', '0.0901234567'],
    ['a labelled date', 'mobile 2026-11-30'],
    ['a hotel', 'hotel 12345678'],
    ['a short one', '+1 911'],
    ['North America with too few digits', '+1 415 555'],
    ['numbers in a table', '120 345 6789 120 345 6789'],
  ])('leaves %s alone', (_name, text) => {
    expect(found('phone', text)).toEqual([]);
  });
});
