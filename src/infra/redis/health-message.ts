import type { HealthChange } from '../../domain/health/health-change';
import { MAX_THROTTLE_MS } from '../../domain/health/throttle';
import type { OfferingId } from '../../domain/kernel/ids';

/** Changes of one route, in the order in which they apply. */
export type RouteChanges = Readonly<{ route: OfferingId; changes: readonly HealthChange[] }>;

export type HealthMessage = Readonly<{ from: string; routes: readonly RouteChanges[] }>;

/** More is told in several messages; more in one is not from us. */
export const MAX_ROUTES_TOLD = 100;
const MAX_CHANGES = 3;
const MAX_NAME_CHARS = 256;
const MAX_CHARS = 65_536;

export function healthMessage(message: HealthMessage): string {
  return JSON.stringify(message);
}

/** Whoever reaches the Redis can write there, so everything is looked at. Null: this is not a message of ours. */
export function readHealthMessage(text: string): HealthMessage | null {
  const message = text.length > MAX_CHARS ? null : parsed(text);
  if (!isRecord(message) || !isName(message['from'])) return null;
  const { from, routes } = message;
  if (!Array.isArray(routes) || routes.length > MAX_ROUTES_TOLD) return null;
  const read = routes.map(routeChanges);
  return read.every((one) => one !== null) ? { from, routes: read } : null;
}

/** A span that one of us could have told: whole milliseconds, up to the longest throttle. */
export function isSpan(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) <= MAX_THROTTLE_MS;
}

function routeChanges(value: unknown): RouteChanges | null {
  if (!isRecord(value) || !isName(value['route'])) return null;
  const { route, changes } = value;
  if (!Array.isArray(changes) || changes.length > MAX_CHANGES) return null;
  const read = changes.map(healthChange);
  return read.every((change) => change !== null) ? { route, changes: read } : null;
}

function healthChange(value: unknown): HealthChange | null {
  if (!isRecord(value)) return null;
  const { kind, forMs } = value;
  switch (kind) {
    case 'closed':
    case 'trial_over':
      return { kind };
    case 'opened':
    case 'throttled':
      return isSpan(forMs) ? { kind, forMs } : null;
    default:
      return null;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_NAME_CHARS;
}
