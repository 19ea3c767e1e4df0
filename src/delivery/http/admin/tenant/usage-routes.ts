import type { ReportUsage } from '../../../../usecase/audit/report-usage';
import type { UsageRow } from '../../../../usecase/port/usage-reports';
import type { JsonObject } from '../../../../domain/kernel/json';
import type { AdminRoute } from '../admin-route';
import { param, replied, withQuery } from '../admin-route';
import { rfc3339 } from '../instant';
import { momentOf } from '../moment';
import { UsageQueryDto } from './usage-query-dto';

export type UsageUseCases = Readonly<{ reportUsage: ReportUsage }>;

/** The last instant that a time of ours can name. */
const FOREVER_MS = Date.UTC(9999, 11, 31);

export function usageRoutes({ reportUsage }: UsageUseCases): readonly AdminRoute[] {
  return [
    {
      method: 'get',
      path: '/tenants/{tenant}/usage',
      scope: 'audit:read',
      summary: 'Add up interactions, tokens and cost, and what resilience cost',
      ...withQuery(UsageQueryDto, async (request, dto) => {
        const fromMs = momentOf(dto.from) ?? 0;
        const toMs = momentOf(dto.to) ?? FOREVER_MS;
        const groupBy = dto.group_by ?? 'day';
        const rows = await reportUsage.execute({ tenant: param(request, 'tenant'), fromMs, toMs, groupBy });
        if (!rows.ok) return rows;
        return replied(200, {
          from: rfc3339(fromMs),
          to: dto.to === undefined ? null : rfc3339(toMs),
          group_by: groupBy,
          data: rows.value.map(presentUsageRow),
        });
      }),
    },
  ];
}

function presentUsageRow(row: UsageRow): JsonObject {
  return {
    group: row.group,
    interactions: row.interactions,
    attempts: row.attempts,
    input_tokens: row.inputTokens,
    cached_input_tokens: row.cachedInputTokens,
    output_tokens: row.outputTokens,
    reasoning_tokens: row.reasoningTokens,
    cost_micro_usd: row.costMicroUsd,
    resilience_cost_micro_usd: row.resilienceCostMicroUsd,
    cost_unknown: row.costUnknown,
  };
}
