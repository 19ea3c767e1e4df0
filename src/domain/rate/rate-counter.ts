import type { ApiKeyId, TenantId } from '../kernel/ids';
import type { TenantGroup } from '../tenant/tenant';

/** What counts requests of one key, or of one tenant in one channel group. */
export type RateCounter = Readonly<{
  scope: 'key' | 'group';
  /** Unique within its scope. */
  id: string;
  /** Requests per minute. */
  limit: number;
}>;

/** How far a counter is. */
export type RateState = Readonly<{
  /** Requests that its minute still takes. */
  remaining: number;
  /** Until its minute is over, milliseconds; 0: none has begun. */
  resetMs: number;
}>;

export type GroupCounter = RateCounter & Readonly<{ group: string }>;

export function keyCounter(key: ApiKeyId, limit: number): RateCounter {
  return { scope: 'key', id: key, limit };
}

/** The counters of a tenant's groups, as far as they are limited. */
export function groupCounters(
  tenant: Readonly<{ id: TenantId; groups: readonly TenantGroup[] | null }>,
): readonly GroupCounter[] {
  if (tenant.groups === null) return NO_COUNTERS;
  return tenant.groups.flatMap(({ name, rpm }) =>
    // A tenant's id has no slash, so that no two tenants' groups share a counter.
    rpm === null ? [] : [{ scope: 'group', id: `${tenant.id}/${name}`, limit: rpm, group: name }],
  );
}

const NO_COUNTERS: readonly GroupCounter[] = [];
