import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { RedisConnection } from '../../src/infra/redis/redis-connection';
import { redisAddressOf, type RedisAddress } from '../../src/infra/config/redis-address';
import { isRedisInstalled } from './redis-server';

/** Whoever tests with Redis names the real one by TEST_REDIS_URL, or has it where it usually is. */
export const TEST_REDIS_URL = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379';

/** Before any test is defined, so synchronously: whether somebody listens there. */
const PROBE = `
  const socket = require('node:net').connect({ host: process.argv[1], port: Number(process.argv[2]), timeout: 1000 });
  const end = (code) => () => process.exit(code);
  socket.on('connect', end(0)).on('error', end(1)).on('timeout', end(1));
`;

export function addressOf(url: string): RedisAddress {
  const address = redisAddressOf(url);
  if (address === null) throw new Error('TEST_REDIS_URL must be a redis:// URL.');
  return address;
}

function answers({ host, port }: RedisAddress): boolean {
  return spawnSync(process.execPath, ['-e', PROBE, host, String(port)]).status === 0;
}

const reachable = answers(addressOf(TEST_REDIS_URL));

/** The tests of a Redis that is there; skipped aloud where none answers. */
export const describeWithRedis = given(
  reachable,
  `no Redis answers at ${addressOf(TEST_REDIS_URL).url.toString()}`,
);

/** The tests that stop and start a Redis of their own; skipped aloud where the server isn't installed. */
export const describeWithRedisServer = given(isRedisInstalled(), 'redis-server is not installed');

function given(available: boolean, why: string): (name: string, tests: () => void) => void {
  if (available) return describe;
  return (name: string, tests: () => void): void => {
    process.stderr.write(`SKIPPED '${name}': ${why}.\n`);
    describe.skip(name, tests);
  };
}

/** Everything that a test file writes begins with it, so that files don't meet on the same server. */
export function ownPrefix(): string {
  return `test-${randomBytes(6).toString('hex')}:`;
}

const SILENT = { info: () => undefined, warn: () => undefined };

/** A connection that stands. */
export async function connect(url = TEST_REDIS_URL, prefix = ownPrefix()): Promise<RedisConnection> {
  const connection = new RedisConnection({ address: addressOf(url), prefix, logger: SILENT });
  await connection.open();
  return connection;
}

/** Deletes what a test has left under its prefix. */
export async function forget(connection: RedisConnection): Promise<void> {
  const keys = await connection.commands.keys(connection.name('*'));
  if (keys.length > 0) await connection.commands.del(...keys);
}
