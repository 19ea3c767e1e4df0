import type { GatewayError } from '../../domain/error/gateway-error';

/** `create` refuses what exists; `put` writes the entry whether it exists or not. */
export type WriteIntent = 'create' | 'put';

export type Written<T> = Readonly<{ entry: T; outcome: 'created' | 'replaced' }>;

/** The conflict of creating what is there already; null: there is none. */
export function existing(intent: WriteIntent, what: string, current: unknown): GatewayError | null {
  if (intent === 'put' || current === undefined) return null;
  return {
    code: 'conflict',
    message: `There is a ${what} already.`,
    param: what.startsWith('model ') ? 'name' : 'id',
  };
}

export function written<T>(entry: T, current: T | undefined): Written<T> {
  return { entry, outcome: current === undefined ? 'created' : 'replaced' };
}
