import type { JsonObject } from '../../../domain/kernel/json';
import type { PiiFindings } from '../../../domain/pii/pii-scan';

/** What was found in a request: numbers, never text. Null: nobody had a rule about it, so nobody looked. */
export function presentPii(findings: PiiFindings | null): JsonObject | null {
  return findings === null ? null : { found: findings.counts, unscanned_parts: findings.unscannedParts };
}
