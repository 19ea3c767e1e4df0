import type { NetworkSignal } from '../../../domain/resilience/signal';

/** Causes are nested a few deep; a longer chain is a cycle. */
const MAX_CAUSES = 16;

/** What a failed connection says of itself. The meaning of the code is the domain's. */
export function networkSignal(error: unknown): NetworkSignal {
  return { kind: 'network', code: codeOf(error) ?? 'UNKNOWN' };
}

function codeOf(error: unknown): string | null {
  const queue: unknown[] = [error];
  for (let index = 0; index < queue.length && index < MAX_CAUSES; index++) {
    const current = queue[index];
    if (typeof current !== 'object' || current === null) continue;
    const { code, cause, errors } = current as { code?: unknown; cause?: unknown; errors?: unknown };
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(code)) return code;
    queue.push(cause);
    if (Array.isArray(errors)) queue.push(...(errors as unknown[]));
  }
  return null;
}
