import type { JsonObject } from '../../../../domain/kernel/json';
import { ok } from '../../../../domain/kernel/result';
import { isBlank } from './blank-text';
import { given, isList, reject, translateEach, type Scope, type Translated } from './translation';

/** `stop` as a list; undefined: none. What is blank is left out and noted, since the answer may run longer without it. */
export function stopSequencesOf(body: JsonObject, scope: Scope): Translated<readonly string[] | undefined> {
  const stop = given(body, 'stop');
  if (stop === undefined) return ok(undefined);
  const listed = typeof stop === 'string' ? [stop] : stop;
  if (!isList(listed)) return reject('stop', 'must be a string or a list of strings');
  const sequences = translateEach(listed, (sequence) =>
    typeof sequence === 'string' ? ok(sequence) : reject('stop', 'must be a string or a list of strings'),
  );
  if (!sequences.ok) return sequences;
  const visible = sequences.value.filter((sequence) => !isBlank(sequence));
  if (visible.length < sequences.value.length) scope.note('stop');
  return ok(visible.length > 0 ? visible : undefined);
}
