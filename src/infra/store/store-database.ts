import type { Kysely } from 'kysely';
import type { ChainWriter } from './chain-writer';
import type { Announce } from './configuration-writer';
import { DEFAULT_LIMITS, type BatchCommitter, type GroupCommitLimits } from './group-commit';
import type { InteractionWrite, InteractionWritten } from './interaction-store';
import { postgresHints, sqliteHints, type PlannerHints } from './planner-hints';
import { tellOfChange } from './postgres/configuration-channel';
import type { PostgresDatabase } from './postgres/postgres-database';
import { PostgresInteractionCommitter } from './postgres/postgres-interaction-committer';
import type { StoreSchema } from './schema';
import type { SqliteDatabase } from './sqlite/sqlite-database';
import { SqliteInteractionCommitter } from './sqlite/sqlite-interaction-committer';

/** The opened store. What its dialects do differently is decided here; everything else knows the query builder only. */
export type StoreDatabase = SqliteDatabase | PostgresDatabase;

export function interactionCommitter(
  database: StoreDatabase,
  chain: ChainWriter,
): BatchCommitter<InteractionWrite, InteractionWritten> {
  return database.kind === 'sqlite'
    ? new SqliteInteractionCommitter(database, chain)
    : new PostgresInteractionCommitter(database, chain);
}

/**
 * A commit is some ten statements to PostgreSQL's driver, however many writes it holds: half as many commits are a sixth less
 * CPU at 1,000 interactions a second. Twice the delay takes twice the company, so that waiting begins at the same rate of
 * writes: else at 200 interactions a second each one still waited 20 ms, for one or two others.
 */
export function commitLimits({ kind }: StoreDatabase): GroupCommitLimits {
  if (kind === 'sqlite') return DEFAULT_LIMITS;
  const { siblings, delayMs } = DEFAULT_LIMITS;
  return { ...DEFAULT_LIMITS, siblings: 2 * siblings, delayMs: 2 * delayMs };
}

/** What the planner of this store has to be told for a page of audit records. */
export function plannerHints({ kind }: StoreDatabase): PlannerHints {
  return kind === 'sqlite' ? sqliteHints : postgresHints;
}

/**
 * On which the configuration is changed. On SQLite all share one connection; on PostgreSQL a change of the configuration, which
 * may wait for another process's, must not hold up interactions.
 */
export function configurationConnection(database: StoreDatabase): Kysely<StoreSchema> {
  return database.kind === 'sqlite' ? database.kysely : database.configuration;
}

/** For what a request or a probe waits for, which must not wait for what an auditor asks: each of those may take minutes. */
export function requestConnection(database: StoreDatabase): Kysely<StoreSchema> {
  return database.kind === 'sqlite' ? database.kysely : database.requests;
}

export function announcementOn(database: StoreDatabase): Announce {
  return database.kind === 'sqlite' ? () => Promise.resolve() : tellOfChange;
}
