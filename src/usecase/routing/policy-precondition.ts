import type { GatewayError } from '../../domain/error/gateway-error';
import type { PolicyVersion } from '../../domain/routing/policy-version';

/** What a writer knows of the policy that he means to change. */
export type PolicyPrecondition =
  | Readonly<{ kind: 'none' }>
  /** There must be none of that name yet. */
  | Readonly<{ kind: 'absent' }>
  /** There must be one, in whatever version. */
  | Readonly<{ kind: 'present' }>
  | Readonly<{ kind: 'version'; versions: readonly number[] }>;

/** The lost update that the precondition prevents; null: it holds. */
export function preconditionFault(
  precondition: PolicyPrecondition,
  current: PolicyVersion | undefined,
): GatewayError | null {
  return holds(precondition, current?.version ?? null) ? null : lostUpdate(current?.version ?? null);
}

/** Somebody else's write came first. */
export function lostUpdate(currentVersion: number | null): GatewayError {
  const message =
    currentVersion === null
      ? 'The precondition failed: there is no current version of this policy.'
      : `The precondition failed: the current version of this policy is ${currentVersion}.`;
  return { code: 'precondition_failed', message, currentVersion };
}

export function noSuchPolicy(name: string): GatewayError {
  return { code: 'not_found', message: `There is no routing policy '${name}'.` };
}

function holds(precondition: PolicyPrecondition, current: number | null): boolean {
  switch (precondition.kind) {
    case 'none':
      return true;
    case 'absent':
      return current === null;
    case 'present':
      return current !== null;
    case 'version':
      return current !== null && precondition.versions.includes(current);
  }
}
