import { found } from './found';

describe('national-id detector', () => {
  it.each([
    ['Japan', 'マイナンバー123456789018', ['123456789018']],
    ['Japan in groups', '1234 5678 9018 / 1234-5678-9018', ['1234 5678 9018', '1234-5678-9018']],
    ['Japan in full width', '１２３４５６７８９０１８', ['１２３４５６７８９０１８']],
    ['USA', '078-05-1120', ['078-05-1120']],
    ['USA, labelled', 'SSN: 123456789', ['123456789']],
    ['Brazil', '529.982.247-25, 52998224725', ['529.982.247-25', '52998224725']],
    ['Germany', '86095742719, 86 095 742 719', ['86095742719', '86 095 742 719']],
    ['France', '1 84 12 76 451 089 46', ['1 84 12 76 451 089 46']],
    ['France in one piece', '184127645108946', ['184127645108946']],
    ['China', '11010519491231002X', ['11010519491231002X']],
  ])('finds %s', (_name, text, values) => {
    expect(found('national_id', text)).toEqual(values);
  });

  it.each([
    ['Japan, a wrong check digit', '123456789012'],
    ['twelve zeros', '000000000000'],
    ['USA, no such area', '000-12-3456 666-12-3456 900-12-3456'],
    ['USA, no such group or serial', '123-00-4567 123-45-0000'],
    ['nine bare digits', '123456789'],
    ['Brazil, a wrong check digit', '529.982.247-26'],
    ['Brazil, one digit', '111.111.111-11'],
    ['Germany, no digit twice', '12345678903'],
    ['Germany, a wrong check digit', '86095742710'],
    ['France, no such month', '184137645108946'],
    ['China, a wrong check digit', '110105194912310020'],
    ['China, no such month', '11010519491331002X'],
    ['seventeen digits alone', '11010519491231002'],
    ['a phone number', '+442071838750'],
    ['the middle of a word', 'a123456789018b'],
    ['a decimal', '0.123456789018'],
  ])('leaves %s alone', (_name, text) => {
    expect(found('national_id', text)).toEqual([]);
  });
});
