import type { Problem } from '../error/gateway-error';

/** What was found out about a policy: a problem keeps it from being written, a warning goes along with it. */
export type Finding = Readonly<{ severity: 'problem' | 'warning'; problem: Problem }>;

/** It can't work as things are, and nothing but another policy would change that. */
export function problem(field: string, message: string): Finding {
  return { severity: 'problem', problem: { field, message } };
}

/** It has no effect today, or may have none, and could become right later. */
export function warning(field: string, message: string): Finding {
  return { severity: 'warning', problem: { field, message } };
}
