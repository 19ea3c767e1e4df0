import { inspect } from 'node:util';
import { readConfig } from '../../../src/infra/config/config';
import { loginOf } from '../../../src/infra/config/redis-address';

const addressIn = (text: string) => {
  const config = readConfig({ REDIS_URL: text });
  return config.ok ? config.value.redis : null;
};

describe('REDIS_URL', () => {
  it.each([
    ['redis://cache', { host: 'cache', port: 6_379, tls: false, database: 0 }, {}],
    ['redis://cache:7000/', { host: 'cache', port: 7_000, tls: false, database: 0 }, {}],
    ['redis://10.0.0.7/12', { host: '10.0.0.7', port: 6_379, tls: false, database: 12 }, {}],
    ['redis://[::1]:6380', { host: '::1', port: 6_380, tls: false, database: 0 }, {}],
    [
      'rediss://:s3cr3t@cache',
      { host: 'cache', port: 6_379, tls: true, database: 0 },
      { password: 's3cr3t' },
    ],
    [
      'rediss://gate%40way:s3%2Fcr%23t@cache',
      { host: 'cache', port: 6_379, tls: true, database: 0 },
      { username: 'gate@way', password: 's3/cr#t' },
    ],
  ])('%s', (text, place, login) => {
    const address = addressIn(text);

    expect(address).toMatchObject(place);
    expect(address && loginOf(address)).toEqual(login);
  });

  it.each([
    ['another scheme', 'http://:s3cr3t@cache'],
    ['no scheme', 'cache:6379'],
    ['no host', 'redis:///0'],
    ['port 0', 'redis://cache:0'],
    ['a database that is no number', 'redis://cache/main'],
    ['parameters', 'redis://:s3cr3t@cache/0?ssl_cert_reqs=none'],
    ['an unencoded # in the password', 'redis://:s3#r3t@cache'],
    ['a percent sign that escapes nothing', 'redis://:s3%r3t@cache'],
  ])('is refused for %s, and the message repeats nothing of it', (_, text) => {
    expect(readConfig({ REDIS_URL: text })).toEqual({
      ok: false,
      error: [
        'REDIS_URL must be a URL such as redis://host:6379/0 or rediss://user:password@host:6379/0, without parameters; special characters of a password are percent-encoded.',
      ],
    });
  });

  it('keeps its password to itself, however it is printed', () => {
    const config = readConfig({ REDIS_URL: 'redis://gateway:s3cr3t@cache:7000/1' });

    const printed = `${JSON.stringify(config)} ${inspect(config, { depth: null, showHidden: true })}`;

    expect(printed).toContain('redis://cache:7000/1');
    expect(printed).not.toMatch(/s3cr3t|gateway:/);
  });
});

it.each(['with space', 'a/b', 'x'.repeat(65)])("the prefix '%s' is refused", (prefix) => {
  expect(readConfig({ SCHNEEAI_REDIS_PREFIX: prefix })).toEqual({
    ok: false,
    error: ['SCHNEEAI_REDIS_PREFIX must be 1 to 64 letters, digits or any of : . _ -.'],
  });
});
