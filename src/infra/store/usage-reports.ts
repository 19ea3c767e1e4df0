import { sql, type Kysely, type RawBuilder } from 'kysely';
import { microUsdOf } from '../../domain/kernel/money';
import type { UsageGrouping, UsageQuery, UsageReports, UsageRow } from '../../usecase/port/usage-reports';
import type { StoreSchema } from './schema';
import { guarded } from './store-failure';

const DAY_MS = 86_400_000;

/** What an interaction is grouped by. Both dialects divide whole numbers to whole numbers. */
const GROUP: Readonly<Record<UsageGrouping, RawBuilder<string | number | null>>> = {
  service: sql`service`,
  feature: sql`feature`,
  model: sql`served_model`,
  provider: sql`served_provider`,
  fallback: sql`case when fallback_reason is null then 0 else 1 end`,
  day: sql`opened_at / ${sql.lit(DAY_MS)}`,
  key: sql`api_key`,
};

type Totals = Readonly<{ group_value: string | number | null }> &
  Readonly<Record<'interactions' | 'cost_unknown', number>> &
  Readonly<Record<(typeof SUMS)[number], number | null>>;

const SUMS = [
  'attempts',
  'input_tokens',
  'cached_input_tokens',
  'output_tokens',
  'reasoning_tokens',
  'cost_micro_usd',
  'superseded_pico_usd',
] as const;

export class SqlUsageReports implements UsageReports {
  constructor(private readonly db: Kysely<StoreSchema>) {}

  usage(query: UsageQuery): Promise<readonly UsageRow[]> {
    return guarded(async () => {
      const { rows } = await totals(query).execute(this.db);
      return rows.map((row) => usageRowOf(query.groupBy, row));
    });
  }
}

/**
 * Interactions that share a billable one count once in their group, and their costs add up. An attempt that another one
 * followed was not the one that answered; what it cost is the cost of resilience.
 */
function totals({ tenant, fromMs, toMs, groupBy }: UsageQuery): RawBuilder<Totals> {
  const sums = SUMS.map((column) => sql`sum(${sql.ref(column)}) as ${sql.ref(column)}`);
  return sql<Totals>`
    select group_value, count(distinct billable_id) as interactions,
      sum(case when cost_micro_usd is null then 1 else 0 end) as cost_unknown, ${sql.join(sums)}
    from (
      select ${GROUP[groupBy]} as group_value, coalesce(billable_id, request_id) as billable_id, attempts,
        input_tokens, cached_input_tokens, output_tokens, reasoning_tokens, cost_micro_usd,
        (select sum(attempt.cost_pico_usd) from attempts as attempt
          where attempt.request_id = interactions.request_id and attempt.number < interactions.attempts
            and interactions.cost_micro_usd is not null) as superseded_pico_usd
      from interactions
      where tenant = ${tenant} and opened_at >= ${fromMs} and opened_at < ${toMs} and closed_at is not null
    ) as closed
    group by group_value
    order by group_value is not null, group_value`;
}

function usageRowOf(groupBy: UsageGrouping, row: Totals): UsageRow {
  return {
    group: groupOf(groupBy, row.group_value),
    interactions: Number(row.interactions),
    attempts: Number(row.attempts ?? 0),
    inputTokens: Number(row.input_tokens ?? 0),
    cachedInputTokens: Number(row.cached_input_tokens ?? 0),
    outputTokens: Number(row.output_tokens ?? 0),
    reasoningTokens: Number(row.reasoning_tokens ?? 0),
    costMicroUsd: Number(row.cost_micro_usd ?? 0),
    resilienceCostMicroUsd: microUsdOf(Number(row.superseded_pico_usd ?? 0)),
    costUnknown: Number(row.cost_unknown),
  };
}

function groupOf(groupBy: UsageGrouping, value: string | number | null): string | null {
  if (groupBy === 'fallback') return Number(value) === 1 ? 'true' : 'false';
  if (groupBy === 'day') return new Date(Number(value) * DAY_MS).toISOString().slice(0, 10);
  return value === null ? null : String(value);
}
