import { isJsonObject, type JsonObject } from '../../../../domain/kernel/json';
import { ok } from '../../../../domain/kernel/result';
import { closedSchema } from './closed-schema';
import { gate, given, reject, type Scope, type Translated } from './translation';

const SCHEMA = 'response_format.json_schema.schema';

/** `output_config.format`; undefined: plain text (WIRE §6). */
export function outputFormatOf(body: JsonObject, scope: Scope): Translated<JsonObject | undefined> {
  const format = given(body, 'response_format');
  if (format === undefined) return ok(undefined);
  const type = isJsonObject(format) ? given(format, 'type') : undefined;
  if (type === 'text') return ok(undefined);
  if (type === 'json_schema') return schemaFormat(format as JsonObject, scope);
  // Asking for it in the prompt couldn't guarantee it.
  if (type === 'json_object') {
    return gate('response_format.type', 'this model guarantees JSON only under a schema: use json_schema');
  }
  return reject('response_format.type', 'must be text, json_object or json_schema');
}

function schemaFormat(format: JsonObject, scope: Scope): Translated<JsonObject> {
  const wanted = given(format, 'json_schema');
  if (!isJsonObject(wanted)) return reject('response_format.json_schema', 'must be an object');
  if (!scope.contract.jsonSchema) return gate('response_format', "this model can't guarantee a schema");
  const schema = given(wanted, 'schema');
  if (!isJsonObject(schema)) return gate(SCHEMA, 'must be a JSON schema for this model');
  const closed = closedSchema(schema, SCHEMA, given(wanted, 'strict') === true ? 'strict' : 'lenient');
  if (!closed.ok) return closed;
  if (closed.value.narrowed) scope.note(SCHEMA);
  return ok({ type: 'json_schema', schema: closed.value.schema });
}
