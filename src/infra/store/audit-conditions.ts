import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { AttemptFilter, AuditFilter } from '../../usecase/port/audit-log';
import type { AttemptRow } from './attempt-row';
import { toFlag } from './flag-column';
import type { InteractionRow } from './interaction-row';
import type { StoreSchema } from './schema';

type Where = ExpressionBuilder<StoreSchema, 'interactions'>;
type Conditions = Expression<SqlBool>[];

/** The column that each condition of equality looks at. */
const EQUAL = {
  tenant: 'tenant',
  state: 'state',
  requestedModel: 'requested_model',
  servedProvider: 'served_provider',
  servedModel: 'served_model',
  servedRoute: 'served_route',
  apiKey: 'api_key',
  service: 'service',
  feature: 'feature',
  errorCode: 'error_code',
  policy: 'policy_name',
  parentRequestId: 'parent_request_id',
} as const satisfies Partial<Record<keyof AuditFilter, keyof InteractionRow>>;

const EQUAL_IN_ATTEMPT = {
  faultClass: 'fault_class',
  channel: 'channel',
  action: 'action',
} as const satisfies Record<keyof AttemptFilter, keyof AttemptRow>;

/** What an auditor asked for, as a condition on interactions. */
export function conditionsOf(filter: AuditFilter): (where: Where) => Expression<SqlBool> {
  return (where) =>
    where.and([...equalities(filter, where), ...bounds(filter, where), ...ofAttempt(filter, where)]);
}

function equalities(filter: AuditFilter, where: Where): Conditions {
  return (Object.keys(EQUAL) as (keyof typeof EQUAL)[]).flatMap((field) => {
    const wanted = filter[field];
    return wanted === undefined ? [] : [where(EQUAL[field], '=', wanted)];
  });
}

function bounds({ fromMs, toMs, fallback, minCostMicroUsd, stream }: AuditFilter, where: Where): Conditions {
  const conditions: Conditions = [];
  if (fromMs !== undefined) conditions.push(where('opened_at', '>=', fromMs));
  if (toMs !== undefined) conditions.push(where('opened_at', '<', toMs));
  if (fallback !== undefined) conditions.push(where('fallback_reason', fallback ? 'is not' : 'is', null));
  if (minCostMicroUsd !== undefined) conditions.push(where('cost_micro_usd', '>=', minCostMicroUsd));
  if (stream !== undefined) conditions.push(where('stream', '=', toFlag(stream)));
  return conditions;
}

function ofAttempt({ attempt = {} }: AuditFilter, where: Where): Conditions {
  const fields = (Object.keys(EQUAL_IN_ATTEMPT) as (keyof AttemptFilter)[]).filter(
    (field) => attempt[field] !== undefined,
  );
  if (fields.length === 0) return [];
  let query = where
    .selectFrom('attempts')
    .select('attempts.number')
    .whereRef('attempts.request_id', '=', 'interactions.request_id');
  for (const field of fields) {
    query = query.where(`attempts.${EQUAL_IN_ATTEMPT[field]}`, '=', attempt[field] ?? null);
  }
  return [where.exists(query)];
}
