import type { GatewayError } from '../error/gateway-error';
import type { Refusal, RefusalDetail, RefusalReason } from '../routing/refusal';

/** What stands against a route for as long as the request says what it says. */
const BY_REQUEST: readonly RefusalReason[] = ['pii_policy', 'contract_mismatch'];

/**
 * 403 where the tenant's rules for personal data leave no route to the request as it is (ADR 17): no wait would help, and
 * the caller can leave out what it holds. Null: something else stands against a route, or no such rule does.
 */
export function piiError(
  details: readonly RefusalDetail[],
  refusals: readonly Refusal[],
): GatewayError | null {
  const classes = new Set(
    details.flatMap((detail) => (detail.reason === 'pii_policy' ? detail.classes : [])),
  );
  if (classes.size === 0 || !details.every(({ reason }) => BY_REQUEST.includes(reason))) return null;
  const message = `The request holds personal data (${[...classes].join(', ')}) that the tenant's rules let go to none of its routes. No provider was called.`;
  return { code: 'forbidden', message, refusals };
}
