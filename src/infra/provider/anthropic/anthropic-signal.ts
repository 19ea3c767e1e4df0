import type { JsonValue } from '../../../domain/kernel/json';
import { isJsonObject } from '../../../domain/kernel/json';
import type { LocalSignal } from '../../../domain/resilience/signal';
import type { Untranslatable } from './request/translation';

/** True for a body or event that reports a failure, whatever its status said. */
export function isErrorObject(value: JsonValue): boolean {
  return isJsonObject(value) && (value.type === 'error' || Boolean(value.error));
}

/** A request that this wire can't carry: nothing was sent, and the field is named. */
export function untranslatable({ param, message }: Untranslatable): LocalSignal {
  return { kind: 'local', cause: 'untranslatable', param, message: `${param} ${message}` };
}
