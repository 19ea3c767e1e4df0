import type { AuditRecord } from '../../domain/audit/audit-record';
import type { MicroUsd } from '../../domain/kernel/money';
import type { Scene } from '../../usecase/drill/drill';
import type { Expectation } from '../../usecase/drill/expectation';
import { errorOf, recordOf } from '../../usecase/drill/seen';
import type { Performance } from '../../usecase/port/rehearsal-stage';

/** One attempt as a drill shows it. */
export type ShownAttempt = Readonly<{
  number: number;
  provider: string;
  model: string;
  action: string;
  /** `served`, or the class of the fault. */
  outcome: string;
  status: number | null;
  waitMs: number;
}>;

/** One request of a drill, for people and for machines. */
export type ShownScene = Readonly<{
  expected: string;
  happened: string;
  attempts: readonly ShownAttempt[];
  /** Null: unknown, or nothing was recorded. */
  costMicroUsd: MicroUsd | null;
  differences: readonly string[];
}>;

export function shownScene({ expected, seen, differences }: Scene): ShownScene {
  const record = recordOf(seen);
  return {
    expected: expectationText(expected),
    happened: performanceText(seen),
    attempts: record === null ? [] : attemptsOf(record),
    costMicroUsd: record?.closing?.costMicroUsd ?? null,
    differences,
  };
}

function attemptsOf({ ledger }: AuditRecord): readonly ShownAttempt[] {
  return ledger.map(({ number, provider, model, action, outcome, faultClass, status, backoffMs }) => ({
    number,
    provider,
    model,
    action,
    outcome: faultClass ?? outcome,
    status,
    waitMs: backoffMs,
  }));
}

type Story = Readonly<{
  status: number | null;
  code: string | null;
  by: string | null;
  reason: string | null;
  attempts: number;
  state: string | null;
  cut: boolean;
}>;

function expectationText({ served, ...expected }: Expectation): string {
  return told({
    status: expected.status,
    code: expected.code,
    by: served === null ? null : `${served.route.model} at ${served.route.provider}`,
    reason: expected.fallbackReason,
    attempts: expected.attempts.length,
    state: expected.state,
    cut: expected.stream === 'broken',
  });
}

function performanceText(seen: Performance): string {
  const { answer, calls } = seen;
  const record = recordOf(seen);
  const code = errorOf(seen)?.code;
  return told({
    status: answer === null ? null : answer.status,
    code: typeof code === 'string' ? code : null,
    cut: answer?.form === 'not_done',
    ...(record === null ? { ...UNRECORDED, attempts: calls.length } : recordStory(record)),
  });
}

const UNRECORDED = { by: null, reason: null, state: null } as const;

function recordStory({ closing, ledger, state }: AuditRecord): Omit<Story, 'status' | 'code' | 'cut'> {
  const served = closing?.served ?? null;
  return {
    by: served === null ? null : `${served.model} at ${served.provider}`,
    reason: closing?.fallbackReason ?? null,
    attempts: ledger.length,
    state,
  };
}

function told({ status, code, by, reason, attempts, state, cut }: Story): string {
  const facts = [
    status === null ? 'no answer as the caller left' : String(status),
    code,
    by === null ? null : `from ${by}`,
    reason,
    cut ? 'stream ends with an error event' : null,
    attempts === 1 ? '1 attempt' : `${attempts} attempts`,
    state ?? 'no record',
  ];
  return facts.filter((fact) => fact !== null).join(', ');
}
