import type { AuditRecord } from '../../domain/audit/audit-record';
import { routesOf, type Catalog } from '../../domain/catalog/catalog';
import type { Route } from '../../domain/catalog/route';
import type { MicroUsd } from '../../domain/kernel/money';
import type { SeenCall } from '../port/rehearsal-stage';

/** Prices are micro-USD for a million tokens. */
const MILLION = 1_000_000;

/** What the providers' own charges come to at the catalog's prices, rounded up once; null: a price is unknown. */
export function chargedCost(calls: readonly SeenCall[], catalog: Catalog): MicroUsd | null {
  let sum = 0;
  for (const call of calls) {
    if (call.charge === null) continue;
    const price = routeOf(call, catalog)?.price ?? null;
    if (price === null) return null;
    sum += call.charge.inputTokens * price.input + call.charge.outputTokens * price.output;
  }
  return Math.ceil(sum / MILLION);
}

/** An estimate stands where a provider never told its count, and can't be held against the provider's own. */
export function isEstimated(record: AuditRecord): boolean {
  return record.ledger.some(({ usage }) => usage.source === 'estimated');
}

function routeOf({ channel, upstreamName }: SeenCall, catalog: Catalog): Route | undefined {
  return [...catalog.models.keys()]
    .flatMap((model) => routesOf(catalog, model))
    .find((route) => route.channel.id === channel && route.upstreamName === upstreamName);
}
