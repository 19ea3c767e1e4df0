import { found } from './found';

describe('email detector', () => {
  it.each([
    ['a plain one', 'write to jane@example.com.', ['jane@example.com']],
    ['a tag, dots and a country', 'jane.doe+news@mail.example.co.uk', ['jane.doe+news@mail.example.co.uk']],
    ['several', 'a@example.org;b@example.org', ['a@example.org', 'b@example.org']],
    [
      'in angle brackets and quotes',
      '"Jane" <jane@example.com>, \'joe@example.com\'',
      ['jane@example.com', 'joe@example.com'],
    ],
    ['in a link', 'mailto:jane@example.com?subject=x', ['jane@example.com']],
    ['among Japanese letters', 'メールはtaro@example.comです', ['taro@example.com']],
    ['in full width', 'ｔａｒｏ＠ｅｘａｍｐｌｅ．ｃｏｍ', ['ｔａｒｏ＠ｅｘａｍｐｌｅ．ｃｏｍ']],
    ['with umlauts', 'müller@exämple.de', ['müller@exämple.de']],
    ['beyond Latin', '用户@例子.广告', ['用户@例子.广告']],
  ])('finds %s', (_name, text, values) => {
    expect(found('email', text)).toEqual(values);
  });

  it.each([
    ['no top level domain', 'root@localhost'],
    ['a handle', '@jane said'],
    ['a version', 'pkg@1.2.3'],
    ['nothing before it', '@example.com'],
    ['a dot alone', 'a@.com'],
    ['only signs before it', '...@example.com'],
  ])('leaves %s alone', (_name, text) => {
    expect(found('email', text)).toEqual([]);
  });
});
