import type { Transaction } from 'kysely';
import { actionOf, type AdminChange } from '../../domain/audit/admin-change';
import { fieldChanges } from '../../domain/audit/field-changes';
import type { AppendChange } from './chained-changes';
import { readStates, SHOWN_FIELDS, type ObjectState } from './object-states';
import type { ConfigurationConcept, StoreSchema } from './schema';

export type ConfigurationAuditDeps = Readonly<{
  /** On whose behalf the current write is made. */
  author: () => string;
  newId: () => string;
  nowMs: () => number;
}>;

/** Records who changed what, by comparing what is stored before and after a write: no write can leave itself out. */
export class ConfigurationAudit {
  constructor(private readonly deps: ConfigurationAuditDeps) {}

  /** Does the work, and appends an entry for each object that it changed. */
  async watch<T>(
    transaction: Transaction<StoreSchema>,
    { concept, id }: Readonly<{ concept: ConfigurationConcept; id: string }>,
    { work, append }: Readonly<{ work: () => Promise<T>; append: AppendChange }>,
  ): Promise<T> {
    const before = await readStates(transaction, concept, id);
    const result = await work();
    const after = await readStates(transaction, concept, id);
    for (const change of this.changes(before, after)) await append(change);
    return result;
  }

  private changes(before: readonly ObjectState[], after: readonly ObjectState[]): readonly AdminChange[] {
    const ids = new Set([...before, ...after].map((object) => object.id));
    return [...ids].flatMap((id) => {
      const change = this.changeOf(
        before.find((object) => object.id === id),
        after.find((object) => object.id === id),
      );
      return change === null ? [] : [change];
    });
  }

  private changeOf(before: ObjectState | undefined, after: ObjectState | undefined): AdminChange | null {
    const object = after ?? before;
    if (object === undefined) return null;
    const fields = fieldChanges(before?.state, after?.state, SHOWN_FIELDS[object.kind]);
    const versions = { fromVersion: before?.version ?? null, toVersion: after?.version ?? null };
    // A restored version can say the same as the one before it; it is a version all the same.
    if (fields.length === 0 && versions.fromVersion === versions.toVersion) return null;
    const restored = typeof after?.state['restored_from'] === 'number' && versions.toVersion !== null;
    return {
      id: this.deps.newId(),
      atMs: this.deps.nowMs(),
      by: after?.by ?? this.deps.author(),
      tenant: object.tenant,
      object: { kind: object.kind, id: object.id },
      action: restored ? 'restored' : actionOf(fields, { before, after }),
      ...versions,
      fields,
    };
  }
}
