import type { PoolClient } from 'pg';
import type { OpeningRecord } from '../../../domain/audit/audit-record';
import type { ChainHead } from '../../../domain/audit/hash-chain';
import type { AttemptRow } from '../attempt-row';
import { headOf } from '../audit-chain-row';
import type { IdempotencyKeyRow } from '../idempotency-row';
import type { InteractionRow } from '../interaction-row';
import type { InteractionWrite } from '../interaction-store';
import type { WalletRow } from '../wallet-row';
import { failureIn, roundTrip, rowsOf } from './round-trip';
import type { StoredColumns } from './stored-columns';

/** What is stored of all that a batch is about. Each row is locked until the batch has ended. */
export type BatchReading = Readonly<{
  interactions: readonly InteractionRow[];
  attempts: readonly AttemptRow[];
  wallets: readonly WalletRow[];
  keys: readonly IdempotencyKeyRow[];
}>;

type Part = keyof BatchReading;
/** `values`: what the statement of this part asks for. */
type Lookup = Readonly<{ into: Part; values: readonly (readonly string[])[] }>;

export const NOTHING_STORED: BatchReading = { interactions: [], attempts: [], wallets: [], keys: [] };

const OPENINGS_LOCK = 'update audit_baseline set unchained = unchained';
const NEWEST_CHAIN = `select writer, last_sequence, last_hash from audit_chains
  order by opened_at desc, writer desc limit 1`;

/**
 * Reads what is stored of all that a batch is about, and locks it: table after table in one order, and by key within a table,
 * so that no two batches wait for each other.
 */
export class BatchReader {
  private readonly texts: Readonly<Record<Part, string>>;

  constructor(columns: StoredColumns) {
    this.texts = {
      interactions: `select ${columns.interactions} from interactions where request_id = any($1::text[])
        order by request_id for update`,
      attempts: `select ${columns.attempts} from attempts where request_id = any($1::text[])`,
      wallets: `select ${columns.wallets} from wallets where tenant in (
          select tenant from interactions where request_id = any($1::text[]) and reservation_micro_usd is not null
          union select unnest($2::text[]))
        order by tenant for update`,
      keys: `select ${columns.idempotency_keys} from idempotency_keys
        where (tenant, key_hash) in (select * from unnest($1::text[], $2::text[]))
        order by tenant, key_hash for update`,
    };
  }

  /** Begins the transaction and reads; null: all that it writes is new, so nothing was asked and nothing begun. */
  async read(client: PoolClient, writes: readonly InteractionWrite[]): Promise<BatchReading | null> {
    const lookups = lookupsFor(writes);
    if (lookups.length === 0) return null;
    const queries = lookups.map(({ into, values }) => ({ text: this.texts[into], values: [...values] }));
    const answers = await roundTrip(client, [{ text: 'begin' }, ...queries]);
    const failure = failureIn(answers);
    if (failure !== null) throw failure.reason;
    const found: Partial<Record<Part, unknown>> = {};
    lookups.forEach(({ into }, index) => {
      found[into] = rowsOf(answers[index + 1]);
    });
    return { ...NOTHING_STORED, ...(found as Partial<BatchReading>) };
  }
}

/** Within the transaction: chains of all processes open one after the other, so that each names the one before. */
export async function newestChainOf(client: PoolClient): Promise<ChainHead | null> {
  const answers = await roundTrip(client, [{ text: OPENINGS_LOCK }, { text: NEWEST_CHAIN }]);
  const failure = failureIn(answers);
  if (failure !== null) throw failure.reason;
  const newest = rowsOf<Parameters<typeof headOf>[0]>(answers.at(-1))[0];
  return newest === undefined ? null : headOf(newest);
}

function lookupsFor(writes: readonly InteractionWrite[]): readonly Lookup[] {
  const known = writes.flatMap((write) => (write.kind === 'open' ? [] : [requestIdOf(write)]));
  const openings = writes.flatMap((write) => (write.kind === 'open' ? [write.opening] : []));
  return [...aboutRecords(known), ...aboutMoney(known, openings), ...aboutKeys(openings)];
}

function aboutRecords(known: readonly string[]): readonly Lookup[] {
  if (known.length === 0) return [];
  return [
    { into: 'interactions', values: [known] },
    { into: 'attempts', values: [known] },
  ];
}

function aboutMoney(known: readonly string[], openings: readonly OpeningRecord[]): readonly Lookup[] {
  const paying = openings.filter(({ reservationMicroUsd }) => reservationMicroUsd !== null);
  if (known.length + paying.length === 0) return [];
  const tenants = paying.map(({ tenant }) => tenant);
  return [{ into: 'wallets', values: [known, tenants] }];
}

function aboutKeys(openings: readonly OpeningRecord[]): readonly Lookup[] {
  const claims = openings.flatMap(({ tenant, idempotency }) =>
    idempotency === null ? [] : [{ tenant, keyHash: idempotency.keyHash }],
  );
  if (claims.length === 0) return [];
  return [
    { into: 'keys', values: [claims.map(({ tenant }) => tenant), claims.map(({ keyHash }) => keyHash)] },
  ];
}

function requestIdOf(write: Exclude<InteractionWrite, { kind: 'open' }>): string {
  return write.kind === 'close' ? write.closing.requestId : write.requestId;
}
