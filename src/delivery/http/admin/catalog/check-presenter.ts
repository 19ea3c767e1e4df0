import type { CheckResult } from '../../../../domain/catalog/offering-checks';
import type { OfferingId } from '../../../../domain/kernel/ids';
import type { JsonObject } from '../../../../domain/kernel/json';
import type { ChannelVerification } from '../../../../usecase/verification/verify-channel';
import { rfc3339 } from '../instant';

/** What is known of an offering: evidence of its checks, and nothing that was said. */
export function presentChecks({
  offering,
  results,
}: Readonly<{ offering: OfferingId; results: readonly CheckResult[] }>): JsonObject {
  return { offering, checks: results.map(presentResult) };
}

export function presentVerification(verification: ChannelVerification): JsonObject {
  const { channel, calls, costMicroUsd, offerings } = verification;
  return { channel, calls, cost_micro_usd: costMicroUsd, offerings: offerings.map(presentChecks) };
}

function presentResult({ check, verdict, atMs, status, code }: CheckResult): JsonObject {
  return { check, verdict, at: rfc3339(atMs), status, code };
}
