import { readConfig, type Config } from '../../../src/infra/config/config';

const DEFAULTS: Config = {
  host: '127.0.0.1',
  port: 8_080,
  dataDir: './data',
  databaseUrl: null,
  databasePoolSize: 10,
  secretKey: null,
  secretKeyReplaced: false,
  logLevel: 'info',
  maxBodyBytes: 33_554_432,
  maxDeadlineMs: 900_000,
  shutdownDelayMs: 0,
  shutdownGraceMs: 30_000,
  privateChannelUrls: 'refused',
  failoverByDefault: false,
  auditRetentionDays: null,
  redis: null,
  redisPrefix: 'schneeai:',
  sandbox: 'auto',
  credentials: [],
};

const KEY = 'k'.repeat(32);
const number = (variable: string, range: string, text: string): string =>
  `${variable} must be a whole number from ${range}, not '${text}'.`;

describe('config', () => {
  it('of an empty environment is the defaults, frozen', () => {
    const config = readConfig({});

    expect(config).toEqual({ ok: true, value: DEFAULTS });
    expect(config.ok && Object.isFrozen(config.value)).toBe(true);
  });

  it.each<[variable: string, text: string, expected: Partial<Config>]>([
    ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['HOST', '', {}],
    ['PORT', '0', { port: 0 }],
    ['PORT', ' 65535 ', { port: 65_535 }],
    ['PORT', '  ', {}],
    ['SCHNEEAI_DATA_DIR', '/var/lib/schneeai', { dataDir: '/var/lib/schneeai' }],
    ['SCHNEEAI_SECRET_KEY', KEY, { secretKey: KEY }],
    ['SCHNEEAI_SECRET_KEY_REPLACED', 'true', { secretKeyReplaced: true }],
    ['DATABASE_URL', ' ', {}],
    ['DATABASE_POOL_SIZE', '1', { databasePoolSize: 1 }],
    ['LOG_LEVEL', 'DEBUG', { logLevel: 'debug' }],
    ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
    ['SCHNEEAI_MAX_BODY_BYTES', '1024', { maxBodyBytes: 1_024 }],
    ['SCHNEEAI_MAX_BODY_BYTES', '268435456', { maxBodyBytes: 268_435_456 }],
    ['SCHNEEAI_MAX_DEADLINE_MS', '1000', { maxDeadlineMs: 1_000 }],
    ['SCHNEEAI_MAX_DEADLINE_MS', '3600000', { maxDeadlineMs: 3_600_000 }],
    ['SCHNEEAI_SHUTDOWN_GRACE_MS', '0', { shutdownGraceMs: 0 }],
    ['SCHNEEAI_SHUTDOWN_GRACE_MS', '600000', { shutdownGraceMs: 600_000 }],
    ['SCHNEEAI_ALLOW_PRIVATE_CHANNEL_URLS', 'true', { privateChannelUrls: 'allowed' }],
    ['SCHNEEAI_ALLOW_PRIVATE_CHANNEL_URLS', 'off', {}],
    ['SCHNEEAI_DEFAULT_FAILOVER', 'Yes', { failoverByDefault: true }],
    ['SCHNEEAI_DEFAULT_FAILOVER', '1', { failoverByDefault: true }],
    ['SCHNEEAI_DEFAULT_FAILOVER', '0', {}],
    ['REDIS_URL', ' ', {}],
    ['SCHNEEAI_REDIS_PREFIX', 'staging:', { redisPrefix: 'staging:' }],
    ['SCHNEEAI_SANDBOX', 'on', { sandbox: 'on' }],
    ['SCHNEEAI_SANDBOX', 'Off', { sandbox: 'off' }],
    ['OPENAI_API_KEY', 'sk-x', { credentials: [{ provider: 'openai', variable: 'OPENAI_API_KEY' }] }],
    [
      'ANTHROPIC_API_KEY',
      'sk-x',
      { credentials: [{ provider: 'anthropic', variable: 'ANTHROPIC_API_KEY' }] },
    ],
    ['OPENAI_API_KEY', '  ', {}],
    ['SOMETHING_ELSE', 'x', {}],
  ])('%s=%j', (variable, text, expected) => {
    expect(readConfig({ [variable]: text })).toEqual({ ok: true, value: { ...DEFAULTS, ...expected } });
  });

  it.each<[variable: string, text: string, problem: string]>([
    ['PORT', '65536', number('PORT', '0 to 65535', '65536')],
    ['PORT', '-1', number('PORT', '0 to 65535', '-1')],
    ['PORT', '80.5', number('PORT', '0 to 65535', '80.5')],
    ['PORT', '0x50', number('PORT', '0 to 65535', '0x50')],
    ['PORT', 'http', number('PORT', '0 to 65535', 'http')],
    ['SCHNEEAI_MAX_BODY_BYTES', '1023', number('SCHNEEAI_MAX_BODY_BYTES', '1024 to 268435456', '1023')],
    ['SCHNEEAI_MAX_BODY_BYTES', '32MB', number('SCHNEEAI_MAX_BODY_BYTES', '1024 to 268435456', '32MB')],
    ['SCHNEEAI_MAX_DEADLINE_MS', '999', number('SCHNEEAI_MAX_DEADLINE_MS', '1000 to 3600000', '999')],
    ['SCHNEEAI_MAX_DEADLINE_MS', '3600001', number('SCHNEEAI_MAX_DEADLINE_MS', '1000 to 3600000', '3600001')],
    ['SCHNEEAI_SHUTDOWN_GRACE_MS', '600001', number('SCHNEEAI_SHUTDOWN_GRACE_MS', '0 to 600000', '600001')],
    ['LOG_LEVEL', 'loud', "LOG_LEVEL must be one of trace, debug, info, warn, error, silent, not 'loud'."],
    ['SCHNEEAI_SANDBOX', 'true', "SCHNEEAI_SANDBOX must be one of auto, on, off, not 'true'."],
    [
      'SCHNEEAI_DEFAULT_FAILOVER',
      'maybe',
      "SCHNEEAI_DEFAULT_FAILOVER must be 'true' or 'false', not 'maybe'.",
    ],
    // Every object has a `constructor`, which used to pass for yes.
    [
      'SCHNEEAI_DEFAULT_FAILOVER',
      'constructor',
      "SCHNEEAI_DEFAULT_FAILOVER must be 'true' or 'false', not 'constructor'.",
    ],
    [
      'SCHNEEAI_ALLOW_PRIVATE_CHANNEL_URLS',
      '2',
      "SCHNEEAI_ALLOW_PRIVATE_CHANNEL_URLS must be 'true' or 'false', not '2'.",
    ],
    ['SCHNEEAI_SECRET_KEY', 'k'.repeat(31), 'SCHNEEAI_SECRET_KEY must have at least 32 characters.'],
  ])('%s=%j is a problem that names it', (variable, text, problem) => {
    expect(readConfig({ [variable]: text })).toEqual({ ok: false, error: [problem] });
  });

  it('names all problems at once', () => {
    const config = readConfig({ PORT: 'x', LOG_LEVEL: 'x', SCHNEEAI_SANDBOX: 'x', SCHNEEAI_SECRET_KEY: 'x' });

    expect(!config.ok && config.error.map((problem) => problem.split(' ')[0])).toEqual([
      'PORT',
      'SCHNEEAI_SECRET_KEY',
      'LOG_LEVEL',
      'SCHNEEAI_SANDBOX',
    ]);
  });

  it('never repeats a secret, and never holds a credential', () => {
    const environment = { SCHNEEAI_SECRET_KEY: 'canary-short', OPENAI_API_KEY: 'canary-sk', PORT: 'x' };
    const valid = { ...environment, SCHNEEAI_SECRET_KEY: KEY, PORT: '1' };

    expect(JSON.stringify(readConfig(environment))).not.toContain('canary');
    expect(JSON.stringify(readConfig(valid))).not.toContain('canary');
  });
});
