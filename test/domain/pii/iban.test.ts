import { found } from './found';

describe('iban detector', () => {
  it.each([
    ['Germany', 'DE89370400440532013000', ['DE89370400440532013000']],
    ['in groups', 'IBAN: DE89 3704 0044 0532 0130 00, BIC', ['DE89 3704 0044 0532 0130 00']],
    ['with letters', 'GB82WEST12345698765432', ['GB82WEST12345698765432']],
    ['in small letters', 'fr14 2004 1010 0505 0001 3m02 606', ['fr14 2004 1010 0505 0001 3m02 606']],
    [
      'the longest and the shortest',
      'MT84MALT011000012345MTLCAST001S NO9386011117947',
      ['MT84MALT011000012345MTLCAST001S', 'NO9386011117947'],
    ],
    [
      'in full width',
      'ＤＥ８９３７０４００４４０５３２０１３０００',
      ['ＤＥ８９３７０４００４４０５３２０１３０００'],
    ],
  ])('finds %s', (_name, text, values) => {
    expect(found('iban', text)).toEqual(values);
  });

  it.each([
    ['a wrong check digit', 'DE88370400440532013000'],
    ['too short', 'DE8937040044053201300'],
    ['too long', 'DE893704004405320130001'],
    ['a country without', 'US89370400440532013000'],
    ['the middle of a word', 'xDE89370400440532013000'],
    ['groups that end early', 'DE89 3704, 0044'],
  ])('leaves %s alone', (_name, text) => {
    expect(found('iban', text)).toEqual([]);
  });
});
