import type { JsonValue } from '../../../domain/kernel/json';
import { isJsonObject } from '../../../domain/kernel/json';
import type { LocalSignal } from '../../../domain/resilience/signal';
import type { Untranslatable } from './request/translation';

/** True for a body or event that reports a failure, whatever its status said. */
export function isErrorObject(value: JsonValue): boolean {
  return isJsonObject(value) && (value.type === 'error' || Boolean(value.error));
}

const CAUSE_OF: Readonly<Record<Untranslatable['kind'], LocalSignal['cause']>> = {
  gate: 'untranslatable',
  reject: 'rejected',
};

/** A request that this wire can't carry, or none can: nothing was sent, and the field is named. */
export function untranslatable({ kind, param, message }: Untranslatable): LocalSignal {
  return { kind: 'local', cause: CAUSE_OF[kind], param, message: `${param} ${message}` };
}
