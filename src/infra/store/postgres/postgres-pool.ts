import { Pool, type ClientBase, type PoolConfig } from 'pg';
import type { SecretUrl } from '../../config/secret-url';
import { TYPE_PARSERS } from './type-parsers';

/** How long a connection may take, and how long somebody waits for a free one. */
export const CONNECT_TIMEOUT_MS = 5_000;
/** No statement of ours takes longer, but for migrations and what an auditor asks. */
const STATEMENT_TIMEOUT_MS = 5_000;
const REPORT_TIMEOUT_MS = 120_000;
/** Over the server's own limit: then it isn't the statement that hangs, it is the connection. */
const SILENCE_MS = 2_000;
/** Frees the row locks of a process that was frozen in the middle of a transaction: others may wait for one. */
const IDLE_IN_TRANSACTION_MS = 5_000;
/** An idle connection costs the server memory; one that is used every second stays. */
const IDLE_MS = 60_000;
/**
 * Every statement of the request path finds its rows by a key. The planner takes a batch for a hundred rows, and reads the whole
 * table for them while it has fewer than some 20,000 rows; or what it planned for a small one, until the next `analyze`.
 */
const BY_KEY_ONLY = 'set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off';
export const APPLICATION_NAME = 'schneeai-gateway';

/** What a connection is for decides how many there are and how long a statement may take. */
export type PoolPurpose = 'reading' | 'looking' | 'requests' | 'interactions' | 'configuration' | 'migration';

/** The pool waits for it before it hands the connection out, which its types don't say. */
type PurposeConfig = Omit<PoolConfig, 'onConnect'> &
  Readonly<{ onConnect?: (client: ClientBase) => Promise<unknown> }>;

const PURPOSES: Readonly<Record<PoolPurpose, PurposeConfig>> = {
  reading: limited(REPORT_TIMEOUT_MS),
  // For a command that must change nothing.
  looking: { ...limited(REPORT_TIMEOUT_MS), onConnect: saying('set default_transaction_read_only = on') },
  // Its statements find one row by its key, so a few serve thousands a second.
  requests: { ...limited(STATEMENT_TIMEOUT_MS), max: 4 },
  // One connection is the lock on the chain that it writes. What is sent on it doesn't wait for the answer before.
  interactions: { ...limited(STATEMENT_TIMEOUT_MS), max: 1, pipeline: true, onConnect: saying(BY_KEY_ONLY) },
  configuration: { ...limited(STATEMENT_TIMEOUT_MS), max: 1 },
  // As long as it takes: others wait for the one that migrates.
  migration: { max: 1 },
};

function limited(statementMs: number): PurposeConfig {
  return { statement_timeout: statementMs, query_timeout: statementMs + SILENCE_MS };
}

/**
 * A connection that can't be told isn't handed out. Not by the driver's `options`: those in the URL would replace ours, and ours
 * PGOPTIONS.
 */
function saying(settings: string): (client: ClientBase) => Promise<unknown> {
  return (client) => client.query(settings);
}

export type PoolOptions = Readonly<{
  url: SecretUrl;
  /** Connections for reading. */
  size: number;
  /** An idle connection that was lost; the next query makes a new one. */
  onLost: (error: unknown) => void;
}>;

export function openPool(purpose: PoolPurpose, { url, size, onLost }: PoolOptions): Pool {
  const pool = new Pool({
    connectionString: url.reveal(),
    application_name: APPLICATION_NAME,
    max: size,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    types: TYPE_PARSERS,
    ...PURPOSES[purpose],
  });
  // Without these listeners the process would end with a connection, be it idle or in use.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', onLost));
  return pool;
}
