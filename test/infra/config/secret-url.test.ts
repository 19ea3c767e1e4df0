import { inspect } from 'node:util';
import pino from 'pino';
import { readConfig } from '../../../src/infra/config/config';

const URL_WITH_SECRETS =
  'postgres://gateway:s3cr%23t@db.example:5433/schneeai?sslmode=require&sslpassword=s3cr%23t';

describe('a URL with credentials in the configuration', () => {
  const config = readConfig({ DATABASE_URL: URL_WITH_SECRETS });
  const databaseUrl = config.ok ? config.value.databaseUrl : null;

  it('is what was given to whoever asks for it', () => {
    expect(databaseUrl?.reveal()).toBe(URL_WITH_SECRETS);
  });

  it.each<[string, () => string]>([
    ['in a message', () => String(databaseUrl)],
    ['as JSON', () => JSON.stringify(config)],
    ['inspected', () => inspect(config, { depth: null, showHidden: true })],
    [
      'logged',
      () => {
        let logged = '';
        pino({}, { write: (line) => void (logged += line) }).info({ config });
        return logged;
      },
    ],
  ])('shows where it points and no secret, %s', (_, print) => {
    expect(print()).toContain('postgres://db.example:5433/schneeai');
    expect(print()).not.toMatch(/s3cr|gateway:|sslpassword/);
  });

  it.each([
    ['another scheme', 'mysql://root:s3cr3t@db/schneeai'],
    ['no scheme', 'root:s3cr3t@db/schneeai'],
    ['an unencoded # in the password', 'postgres://root:s3#r3t@db/schneeai'],
    // What stands before them could be a port.
    ['an unencoded / in the password', 'postgres://root:12/s3cr3t@db/schneeai'],
    ['an unencoded ? in the password', 'postgres://root:12?s3cr3t@db/schneeai'],
    ['an unencoded # after digits', 'postgres://root:12#s3cr3t@db/schneeai'],
    ['an unencoded @ and / in the password', 'postgres://root:s3@cr/3t@db/schneeai'],
  ])('is refused for %s, and the message repeats nothing of it', (_, text) => {
    expect(readConfig({ DATABASE_URL: text })).toEqual({
      ok: false,
      error: [
        'DATABASE_URL must be a URL such as postgres://user:password@host:5432/database; special characters of a password are percent-encoded.',
      ],
    });
  });
});
