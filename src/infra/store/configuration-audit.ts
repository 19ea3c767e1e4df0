import type { Transaction } from 'kysely';
import { actionOf, type AdminChange } from '../../domain/audit/admin-change';
import { fieldChanges, type FieldChange } from '../../domain/audit/field-changes';
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
    const fields = changedFields(object, before, after);
    const fromVersion = versionOf(before);
    const toVersion = versionOf(after);
    // A restored version can say the same as the one before it; it is a version all the same.
    if (fields.length === 0 && fromVersion === toVersion) return null;
    return {
      id: this.deps.newId(),
      atMs: this.deps.nowMs(),
      by: authorOf(after) ?? this.deps.author(),
      tenant: object.tenant,
      object: { kind: object.kind, id: object.id },
      action: isRestored(after) ? 'restored' : actionOf(fields, { before, after }),
      fromVersion,
      toVersion,
      fields,
    };
  }
}

/** A version of a policy says by itself who wrote it, also where the gateway did so on its own. */
function authorOf(after: ObjectState | undefined): string | null {
  return after?.by ?? null;
}

function isRestored(after: ObjectState | undefined): boolean {
  return typeof after?.state['restored_from'] === 'number';
}

function versionOf(object: ObjectState | undefined): number | null {
  return object?.version ?? null;
}

function changedFields(
  { kind }: ObjectState,
  before: ObjectState | undefined,
  after: ObjectState | undefined,
): readonly FieldChange[] {
  return fieldChanges(before?.state, after?.state, SHOWN_FIELDS[kind]);
}
