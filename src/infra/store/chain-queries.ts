import type { Kysely } from 'kysely';
import type { ChainHead } from '../../domain/audit/hash-chain';
import type { AuditChainRow } from './audit-chain-row';
import type { StoreSchema } from './schema';

/** Chains of all processes open one after the other, so that each names the one before. */
export function lockOpenings(db: Kysely<StoreSchema>) {
  return db.updateTable('audit_baseline').set((update) => ({ unchained: update.ref('unchained') }));
}

/** The end of the chain that was opened last. */
export function newestChain(db: Kysely<StoreSchema>) {
  return db
    .selectFrom('audit_chains')
    .select(['writer', 'last_sequence', 'last_hash'])
    .orderBy('opened_at', 'desc')
    .orderBy('writer', 'desc')
    .limit(1);
}

export function insertChain(db: Kysely<StoreSchema>, row: AuditChainRow) {
  return db.insertInto('audit_chains').values(row);
}

export function moveHead(db: Kysely<StoreSchema>, { writer, sequence, hash }: ChainHead) {
  return db
    .updateTable('audit_chains')
    .set({ last_sequence: sequence, last_hash: hash })
    .where('writer', '=', writer);
}
