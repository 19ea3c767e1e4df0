import type { GatewayError } from '../../domain/error/gateway-error';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import type { UsageQuery, UsageReports, UsageRow } from '../port/usage-reports';

/** Adds up what a tenant used. */
export class ReportUsage {
  constructor(private readonly reports: UsageReports) {}

  async execute(query: UsageQuery): Promise<Result<readonly UsageRow[], GatewayError>> {
    if (query.fromMs >= query.toMs) {
      return err({ code: 'unprocessable', problems: [{ field: 'to', message: "must be after 'from'" }] });
    }
    return ok(await this.reports.usage(query));
  }
}
