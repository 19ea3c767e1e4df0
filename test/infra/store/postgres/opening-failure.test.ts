import { SecretUrl } from '../../../../src/infra/config/secret-url';
import { openingFailure } from '../../../../src/infra/store/postgres/opening-failure';

const WHERE = 'postgres://db.example/schneeai';

describe('a PostgreSQL that could not be opened', () => {
  const url = SecretUrl.parse('postgres://gateway:pa55-w0rd@db.example/schneeai', ['postgres:'])!;

  it.each<[string, string, string]>([
    [
      '28P01',
      'password authentication failed for user "gateway"',
      `${WHERE} refuses the user or the password of DATABASE_URL.`,
    ],
    [
      '28000',
      'no pg_hba.conf entry for host "10.0.0.7", user "gateway", database "schneeai", no encryption',
      `${WHERE} refuses the user of DATABASE_URL: no pg_hba.conf entry for host "10.0.0.7", user "gateway", database "schneeai", no encryption.`,
    ],
    [
      '3D000',
      'database "schneeai" does not exist',
      `${WHERE} does not exist. Create that database, or correct DATABASE_URL.`,
    ],
    [
      '53300',
      'sorry, too many clients already',
      `${WHERE} takes no more connections. Raise its max_connections, or lower DATABASE_POOL_SIZE.`,
    ],
    [
      '57P03',
      'the database system is starting up',
      `${WHERE} is not ready yet: the database system is starting up.`,
    ],
    [
      'ENOTFOUND',
      'getaddrinfo ENOTFOUND db.example',
      `${WHERE} can't be reached (ENOTFOUND). Is the server running, and are host and port of DATABASE_URL right?`,
    ],
    [
      '',
      'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string',
      `${WHERE} asks for a password, and DATABASE_URL holds none.`,
    ],
    [
      '',
      'Connection terminated due to connection timeout',
      `${WHERE} doesn't answer (Connection terminated due to connection timeout). Are host and port of DATABASE_URL right?`,
    ],
    [
      'ENOENT',
      'connect ENOENT /run/postgresql/.s.PGSQL.5432',
      `${WHERE} can't be reached (ENOENT). Is the server running, and are host and port of DATABASE_URL right?`,
    ],
    [
      'ENOENT',
      "ENOENT: no such file or directory, open '/etc/ca.pem'",
      `${WHERE} can't be opened: ENOENT: no such file or directory, open '/etc/ca.pem'`,
    ],
    ['XX000', 'cache lookup failed', `${WHERE} can't be opened: cache lookup failed`],
  ])('with %s %s', (code, message, told) => {
    expect(openingFailure(url, Object.assign(new Error(message), code === '' ? {} : { code }))).toBe(told);
  });
});
