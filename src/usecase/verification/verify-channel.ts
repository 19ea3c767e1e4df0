import type { Catalog } from '../../domain/catalog/catalog';
import { mergeResults, subjectOf } from '../../domain/catalog/offering-checks';
import type { CheckResult } from '../../domain/catalog/offering-checks';
import type { Route } from '../../domain/catalog/route';
import type { GatewayError, Problem } from '../../domain/error/gateway-error';
import type { ChannelId, OfferingId } from '../../domain/kernel/ids';
import type { MicroUsd } from '../../domain/kernel/money';
import { microUsdOf } from '../../domain/kernel/money';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import type { CatalogStore } from '../port/catalog-store';
import type { Configuration } from '../port/configuration';
import type { IdGenerator } from '../port/id-generator';
import type { CheckBounds, CheckLineDeps } from './check-line';
import { CheckLine } from './check-line';
import { CHECKS } from './check-table';

export type VerifyChannelDeps = CheckLineDeps &
  Readonly<{
    configuration: Pick<Configuration, 'catalog'>;
    store: Pick<CatalogStore, 'putChecks'>;
    ids: IdGenerator;
  }>;

/** What one verification saw. The results are of this run; the catalog keeps the last conclusive ones. */
export type ChannelVerification = Readonly<{
  channel: ChannelId;
  /** Upstream calls that were made. */
  calls: number;
  /** Null: unknown. */
  costMicroUsd: MicroUsd | null;
  offerings: readonly VerifiedOffering[];
}>;

export type VerifiedOffering = Readonly<{ offering: OfferingId; results: readonly CheckResult[] }>;

/** A dozen calls of seconds for each offering; who has more of them names those that matter. */
const VERIFY_LIMIT_MS = 300_000;

/**
 * Asks the live upstream of each offering of a channel whether it keeps its contract (DESIGN §9). Every call costs money,
 * so it is made only when an operator asks, and by one verification of a channel at a time in this process.
 */
export class VerifyChannel {
  private readonly running = new Set<ChannelId>();

  constructor(private readonly deps: VerifyChannelDeps) {}

  /** @param wanted null: every offering of the channel, switched off or not */
  async execute(
    channel: ChannelId,
    wanted: readonly OfferingId[] | null,
  ): Promise<Result<ChannelVerification, GatewayError>> {
    const routes = routesToCheck(this.deps.configuration.catalog(), channel, wanted);
    if (!routes.ok) return routes;
    if (this.running.has(channel)) {
      const message = `The channel '${channel}' is being verified already.`;
      return err({ code: 'conflict', message, param: null });
    }
    this.running.add(channel);
    try {
      return ok(await this.verify(channel, routes.value));
    } finally {
      this.running.delete(channel);
    }
  }

  private async verify(channel: ChannelId, routes: readonly Route[]): Promise<ChannelVerification> {
    const { clock, ids } = this.deps;
    const bounds: CheckBounds = { id: ids.next('req'), endsAtMs: clock.nowMs() + VERIFY_LIMIT_MS };
    const offerings: VerifiedOffering[] = [];
    const lines: CheckLine[] = [];
    for (const route of routes) {
      const line = new CheckLine(this.deps, route, bounds);
      lines.push(line);
      const results = await this.check(route, line);
      offerings.push({ offering: route.id, results });
      await this.keep(route, results);
    }
    return {
      channel,
      calls: lines.reduce((sum, { calls }) => sum + calls, 0),
      costMicroUsd: costOf(lines),
      offerings,
    };
  }

  private async check(route: Route, line: CheckLine): Promise<readonly CheckResult[]> {
    const model = this.deps.configuration.catalog().models.get(route.model);
    // A deployment may be called anything (Azure), and then tells the model's own name.
    const names = [route.upstreamName, route.model, ...(model?.aliases ?? [])];
    const results: CheckResult[] = [];
    for (const { isOffered, run } of CHECKS) {
      if (!isOffered(route.contract)) continue;
      const findings = await run({ kind: route.channel.kind, names }, line);
      const atMs = this.deps.clock.nowMs();
      results.push(...findings.map((finding) => ({ ...finding, atMs })));
    }
    return results;
  }

  private async keep(route: Route, results: readonly CheckResult[]): Promise<void> {
    const { configuration, store } = this.deps;
    const earlier = configuration.catalog().checks.get(route.id)?.results ?? [];
    await store.putChecks({
      offering: route.id,
      subject: subjectOf(route, route.channel),
      results: mergeResults(earlier, results),
    });
  }
}

function routesToCheck(
  catalog: Catalog,
  channel: ChannelId,
  wanted: readonly OfferingId[] | null,
): Result<readonly Route[], GatewayError> {
  if (!catalog.channels.has(channel)) {
    return err({ code: 'not_found', message: `There is no channel '${channel}'.` });
  }
  const routes = [...catalog.routes.values()].flat().filter((route) => route.channel.id === channel);
  const problems: Problem[] = (wanted ?? []).flatMap((id, index) =>
    routes.some((route) => route.id === id)
      ? []
      : [{ field: `offerings[${index}]`, message: `the channel '${channel}' has no offering '${id}'` }],
  );
  if (problems.length > 0) return err({ code: 'unprocessable', problems });
  return ok(wanted === null ? routes : routes.filter((route) => wanted.includes(route.id)));
}

function costOf(lines: readonly CheckLine[]): MicroUsd | null {
  let total = 0;
  for (const { costPico } of lines) {
    if (costPico === null) return null;
    total += costPico;
  }
  return microUsdOf(total);
}
