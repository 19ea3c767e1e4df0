import type { Transaction } from 'kysely';
import { actionOf } from '../../domain/audit/admin-change';
import { fieldChanges, type FieldChange } from '../../domain/audit/field-changes';
import type { AppendChange, ChangeFacts } from './chained-changes';
import { readStates, SHOWN_FIELDS, type ObjectState } from './object-states';
import type { ConfigurationConcept, StoreSchema } from './schema';

/**
 * Does the work, and appends an entry for each object that it changed: what is stored before is compared to what is stored
 * after, so no write can leave itself out.
 */
export async function withAudit<T>(
  transaction: Transaction<StoreSchema>,
  { concept, id }: Readonly<{ concept: ConfigurationConcept; id: string }>,
  { work, append }: Readonly<{ work: () => Promise<T>; append: AppendChange }>,
): Promise<T> {
  const before = await readStates(transaction, concept, id);
  const result = await work();
  const after = await readStates(transaction, concept, id);
  for (const change of changesBetween(before, after)) await append(change);
  return result;
}

function changesBetween(
  before: readonly ObjectState[],
  after: readonly ObjectState[],
): readonly ChangeFacts[] {
  const ids = new Set([...before, ...after].map((object) => object.id));
  return [...ids].flatMap((id) => {
    const change = changeOf(
      before.find((object) => object.id === id),
      after.find((object) => object.id === id),
    );
    return change === null ? [] : [change];
  });
}

function changeOf(before: ObjectState | undefined, after: ObjectState | undefined): ChangeFacts | null {
  const object = after ?? before;
  if (object === undefined) return null;
  const fields = changedFields(object, before, after);
  const fromVersion = versionOf(before);
  const toVersion = versionOf(after);
  // A restored version can say the same as the one before it; it is a version all the same.
  if (fields.length === 0 && fromVersion === toVersion) return null;
  return {
    by: authorOf(after),
    tenant: object.tenant,
    object: { kind: object.kind, id: object.id },
    action: isRestored(after) ? 'restored' : actionOf(fields, { before, after }),
    fromVersion,
    toVersion,
    fields,
  };
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
