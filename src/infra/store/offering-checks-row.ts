import type { CheckResult, CheckSubject, OfferingChecks } from '../../domain/catalog/offering-checks';
import { fromJson, toJson } from './json-column';

/** Its id is the offering's. */
export type OfferingChecksRow = Readonly<{ id: string; subject: string; results: string }>;

export function offeringChecksRowOf({ offering, subject, results }: OfferingChecks): OfferingChecksRow {
  return { id: offering, subject: toJson(subject), results: toJson(results) };
}

export function offeringChecksOf(row: OfferingChecksRow): OfferingChecks {
  return {
    offering: row.id,
    subject: fromJson<CheckSubject>(row.subject),
    results: fromJson<CheckResult[]>(row.results),
  };
}
