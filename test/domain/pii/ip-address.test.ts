import { found } from './found';

describe('ip-address detector', () => {
  it.each([
    ['v4', 'from 192.168.1.10.', ['192.168.1.10']],
    ['v4 with a port and a prefix', '10.1.2.3:8080 and 10.0.0.0/8', ['10.1.2.3:8080', '10.0.0.0']],
    ['v6', '2001:0db8:85a3:0000:0000:8a2e:0370:7334', ['2001:0db8:85a3:0000:0000:8a2e:0370:7334']],
    ['v6, short', '2001:db8::1 fe80::1', ['2001:db8::1', 'fe80::1']],
    ['v6 in brackets', 'http://[2001:db8::1]:80/', ['2001:db8::1']],
    ['v4 within v6', '::ffff:192.0.2.128', ['::ffff:192.0.2.128']],
    ['behind a label', 'ip:8.8.8.8', ['8.8.8.8']],
  ])('finds %s', (_name, text, values) => {
    expect(found('ip_address', text)).toEqual(values);
  });

  it.each([
    ['a version', '1.2.3'],
    ['dots and colons alone', '... :.: ..1..'],
    ['a sentence that ends in numbers', 'a: 1.2.3: b'],
    ['a version of four parts', 'version 1.2.3.4 v1.2.3.4'],
    ['parts that are too large', '256.1.1.1'],
    ['leading zeros', '01.02.03.04'],
    ['five parts', '1.2.3.4.5'],
    ['this host', '127.0.0.1 ::1'],
    ['no host', '0.0.0.0 ::'],
    ['a time', '10:42:01'],
    ['a network card', '00:1a:2b:3c:4d:5e'],
    ['names in code', 'std::string a::b dead::beef'],
    ['too many groups', '1:2:3:4:5:6:7:8:9'],
    ['two gaps', '1::2::3'],
    [
      'a long row of digits and dots',
      '1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.',
    ],
  ])('leaves %s alone', (_name, text) => {
    expect(found('ip_address', text)).toEqual([]);
  });
});
