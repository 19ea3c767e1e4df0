import { err, ok, type Result } from '../../domain/kernel/result';
import { EnvironmentReader, type Environment } from './environment-reader';
import { REDIS_URL_FORM, redisAddressOf, type RedisAddress } from './redis-address';
import { SecretUrl } from './secret-url';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

/** Everything that the environment decides, read once and frozen. */
export type Config = Readonly<{
  host: string;
  port: number;
  /** Folder of the embedded store. */
  dataDir: string;
  /** The PostgreSQL that holds everything; null: the embedded store does. */
  databaseUrl: SecretUrl | null;
  /** Connections of this process for reading, beside its two that write and its one that listens. */
  databasePoolSize: number;
  /** From which all keys are derived; null: kept beside the embedded store. */
  secretKey: string | null;
  /** The operator knows that it is another one than the store was used with. */
  secretKeyReplaced: boolean;
  logLevel: (typeof LOG_LEVELS)[number];
  maxBodyBytes: number;
  /** No interaction lasts longer, whatever policies and callers ask for. */
  maxDeadlineMs: number;
  /** How long connections are still accepted after a stop was asked for and `/readyz` says so. */
  shutdownDelayMs: number;
  /** How long running interactions may go on after a stop was asked for. */
  shutdownGraceMs: number;
  /** Whether channels may point into loopback and private networks. */
  privateChannelUrls: 'allowed' | 'refused';
  /** Whether a tenant created without saying so has the failover feature. */
  failoverByDefault: boolean;
  /** Audit records that were closed so many whole days ago are deleted; null: never. */
  auditRetentionDays: number | null;
  /** Where replicas tell each other what they learn; null: each learns alone. */
  redis: RedisAddress | null;
  /** Begins the name of everything in Redis: gateways that share a server and nothing else differ in it. */
  redisPrefix: string;
  /** `auto`: on exactly while no provider credential and no real channel is there. */
  sandbox: 'auto' | 'on' | 'off';
  /** Providers whose credential is in the environment. */
  credentials: readonly ProviderCredential[];
}>;

export type ProviderCredential = Readonly<{ provider: 'openai' | 'anthropic'; variable: string }>;

const PROVIDER_VARIABLES: readonly ProviderCredential[] = [
  { provider: 'openai', variable: 'OPENAI_API_KEY' },
  { provider: 'anthropic', variable: 'ANTHROPIC_API_KEY' },
];

const DATABASE_URL_FORM =
  'a URL such as postgres://user:password@host:5432/database; special characters of a password are percent-encoded';

const MIB = 1024 * 1024;
const MINUTE_MS = 60_000;
const MIN_SECRET_CHARS = 32;
const REDIS_PREFIX = /^[A-Za-z0-9:._-]{1,64}$/;

/** Reads the environment. A variable that can't be understood is a problem that names it; it is never ignored. */
export function readConfig(environment: Environment): Result<Config, readonly string[]> {
  const read = new EnvironmentReader(environment);
  const config: Config = Object.freeze({
    host: read.text('HOST', '127.0.0.1'),
    port: read.number('PORT', { fallback: 8080, min: 0, max: 65_535 }),
    dataDir: read.text('SCHNEEAI_DATA_DIR', './data'),
    databaseUrl: read.parsed('DATABASE_URL', databaseUrlOf, DATABASE_URL_FORM),
    databasePoolSize: read.number('DATABASE_POOL_SIZE', { fallback: 10, min: 1, max: 1_000 }),
    secretKey: read.secret('SCHNEEAI_SECRET_KEY', MIN_SECRET_CHARS),
    secretKeyReplaced: read.flag('SCHNEEAI_SECRET_KEY_REPLACED', false),
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    // WIRE §3: the largest request that a provider takes.
    maxBodyBytes: read.number('SCHNEEAI_MAX_BODY_BYTES', { fallback: 32 * MIB, min: 1_024, max: 256 * MIB }),
    maxDeadlineMs: read.number('SCHNEEAI_MAX_DEADLINE_MS', {
      fallback: 15 * MINUTE_MS,
      min: 1_000,
      max: 60 * MINUTE_MS,
    }),
    shutdownDelayMs: read.number('SCHNEEAI_SHUTDOWN_DELAY_MS', { fallback: 0, min: 0, max: MINUTE_MS }),
    shutdownGraceMs: read.number('SCHNEEAI_SHUTDOWN_GRACE_MS', {
      fallback: 30_000,
      min: 0,
      max: 10 * MINUTE_MS,
    }),
    privateChannelUrls: read.flag('SCHNEEAI_ALLOW_PRIVATE_CHANNEL_URLS', false) ? 'allowed' : 'refused',
    failoverByDefault: read.flag('SCHNEEAI_DEFAULT_FAILOVER', false),
    auditRetentionDays:
      read.number('SCHNEEAI_AUDIT_RETENTION_DAYS', { fallback: 0, min: 0, max: 36_500 }) || null,
    redis: read.parsed('REDIS_URL', redisAddressOf, REDIS_URL_FORM),
    redisPrefix:
      read.parsed(
        'SCHNEEAI_REDIS_PREFIX',
        (text) => (REDIS_PREFIX.test(text) ? text : null),
        '1 to 64 letters, digits or any of : . _ -',
      ) ?? 'schneeai:',
    sandbox: read.choice('SCHNEEAI_SANDBOX', ['auto', 'on', 'off'] as const, 'auto'),
    credentials: PROVIDER_VARIABLES.filter(({ variable }) => read.text(variable, '') !== ''),
  });
  return read.problems.length === 0 ? ok(config) : err(read.problems);
}

function databaseUrlOf(text: string): SecretUrl | null {
  return SecretUrl.parse(text, ['postgres:', 'postgresql:']);
}
