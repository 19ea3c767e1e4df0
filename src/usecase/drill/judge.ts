import type { AuditRecord, LedgerRow } from '../../domain/audit/audit-record';
import type { Performance, Setting } from '../port/rehearsal-stage';
import { nameOf } from './barrier';
import { chargedCost, isEstimated } from './charged-cost';
import type { ExpectedAttempt } from './course';
import type { Expectation } from './expectation';
import { errorOf, extensionOf, firstDocument, recordOf } from './seen';

/** Everything in which a performance differs from what was expected, in sentences; empty: nothing. */
export function differences(expected: Expectation, seen: Performance, setting: Setting): readonly string[] {
  return [
    ...answerDifferences(expected, seen),
    ...recordDifferences(expected, seen, setting),
    ...callDifferences(expected, seen, setting),
  ];
}

function answerDifferences(expected: Expectation, seen: Performance): readonly string[] {
  const { answer } = seen;
  const returnedAsIs = expected.attempts.at(-1)?.outcome === 'caller';
  return [
    ...unequal('the status', expected.status, answer === null ? null : answer.status),
    ...(returnedAsIs ? [] : unequal('the error code', expected.code, errorOf(seen)?.code ?? null)),
    ...unequal('the stream', expected.stream, streamOf(seen)),
    ...(answer === null
      ? []
      : [...modelDifferences(expected, seen), ...disclosureDifferences(expected, seen)]),
  ];
}

function modelDifferences({ model }: Expectation, { answer }: Performance): readonly string[] {
  return model === null ? [] : unequal('the answer’s model', model, firstDocument(answer)?.model ?? null);
}

/** DESIGN §8: nothing new unless something happened, and never a silent failover. */
function disclosureDifferences(expected: Expectation, seen: Performance): readonly string[] {
  const extension = extensionOf(seen);
  if (expected.served === null) return errorAttempts(expected, extension?.attempts);
  const { route } = expected.served;
  const headers = seen.answer?.headers ?? {};
  return [
    ...unequal('schneeai.fallback_reason', expected.fallbackReason, extension?.fallback_reason ?? null),
    ...unequal('x-schneeai-provider', route.provider, headers['x-schneeai-provider'] ?? null),
    ...unequal(
      'x-schneeai-attempts',
      String(expected.attempts.length),
      headers['x-schneeai-attempts'] ?? null,
    ),
  ];
}

/** An error event comes too late for a header, and an error before any attempt has nothing to list. */
function errorAttempts(expected: Expectation, listed: unknown): readonly string[] {
  if (expected.stream === 'broken' || expected.attempts.length === 0) return [];
  return unequal(
    'attempts named in the error',
    expected.attempts.length,
    Array.isArray(listed) ? listed.length : 0,
  );
}

function streamOf({ answer }: Performance): Expectation['stream'] {
  if (answer === null || answer.form === 'document') return 'none';
  return answer.form === 'done' ? 'complete' : 'broken';
}

function recordDifferences(expected: Expectation, seen: Performance, setting: Setting): readonly string[] {
  const found = unequal('records of this request', expected.state === null ? 0 : 1, seen.records.length);
  const record = recordOf(seen);
  if (found.length > 0 || record === null) return found;
  return [
    ...unequal('the record’s state', expected.state, record.state),
    ...unequal('the record’s policy', setting.policy.name, record.policy?.name ?? null),
    ...unequal(
      'the record’s fallback reason',
      expected.fallbackReason,
      record.closing?.fallbackReason ?? null,
    ),
    ...ledgerDifferences(expected.attempts, record.ledger),
    ...costDifferences(record, seen, setting),
  ];
}

function ledgerDifferences(
  expected: readonly ExpectedAttempt[],
  ledger: readonly LedgerRow[],
): readonly string[] {
  const found = [...unequal('attempts in the ledger', expected.length, ledger.length)];
  expected.forEach((attempt, index) => {
    const row = ledger[index];
    if (row !== undefined) found.push(...rowDifferences(attempt, row));
  });
  return found;
}

function rowDifferences(
  { route, action, outcome, wait }: ExpectedAttempt,
  row: LedgerRow,
): readonly string[] {
  const attempt = `attempt ${row.number}`;
  const waited = row.backoffMs >= wait.minMs && row.backoffMs <= wait.maxMs;
  return [
    ...unequal(`${attempt}: the route`, route.id, row.route),
    ...unequal(`${attempt}: the action`, action, row.action),
    ...unequal(`${attempt}: the outcome`, outcome, row.faultClass ?? row.outcome),
    ...(waited
      ? []
      : [`${attempt}: expected a wait of ${wait.minMs} to ${wait.maxMs} ms, saw ${row.backoffMs} ms`]),
  ];
}

function costDifferences(record: AuditRecord, seen: Performance, { catalog }: Setting): readonly string[] {
  if (isEstimated(record)) return [];
  const charged = chargedCost(seen.calls, catalog);
  return unequal('the cost in micro-USD', charged, record.closing?.costMicroUsd ?? null);
}

/** A provider that nobody was to ask must have received nothing, and every call must be on record. */
function callDifferences(
  { attempts }: Expectation,
  { calls }: Performance,
  { catalog }: Setting,
): readonly string[] {
  return [...catalog.channels.values()].flatMap((channel) => {
    const expected = attempts.filter(({ route }) => route.channel.id === channel.id);
    const seen = calls.filter((call) => call.channel === channel.id).length;
    const models = [...new Set(expected.map(({ route }) => nameOf(route)))].join(', ');
    const what = `calls that reached ${channel.provider} by channel ${channel.id}${models === '' ? '' : ` (${models})`}`;
    return unequal(what, expected.length, seen);
  });
}

/** One sentence where two values differ. */
export function unequal(what: string, expected: unknown, seen: unknown): readonly string[] {
  if (expected === seen) return [];
  return [`${what}: expected ${said(expected)}, saw ${said(seen)}`];
}

function said(value: unknown): string {
  return value === null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);
}
