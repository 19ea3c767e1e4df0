import { IS_OPTIONAL, ValidationTypes } from 'class-validator';
import { targetConstructorToSchema } from 'class-validator-jsonschema';
import type { JsonObject } from '../../../domain/kernel/json';
import { PII_CLASSES } from '../../../domain/pii/pii-class';
import { PII_ACTIONS } from '../../../domain/pii/pii-rule';
import type { NestedContext } from '../admin/field-rules';
import type { DtoClass } from '../middleware/validated-body';

type Dto = DtoClass<object>;

export function schemaRef(dto: Dto): JsonObject {
  return { $ref: `#/components/schemas/${dto.name}` };
}

/** The schemas of these DTOs and of all that are nested in them, by name. */
export function dtoSchemas(roots: readonly Dto[]): JsonObject {
  const schemas = new Map<string, JsonObject>();
  const pending = [...roots];
  for (let dto = pending.pop(); dto !== undefined; dto = pending.pop()) {
    if (!schemas.has(dto.name))
      schemas.set(
        dto.name,
        schemaOf(dto, (nested) => pending.push(nested)),
      );
  }
  return Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Its properties, without following what is nested. */
export function propertiesOf(dto: Dto): JsonObject {
  return schemaOf(dto, () => undefined)['properties'] as JsonObject;
}

const PII_ACTION_SCHEMA = { type: 'string' as const, enum: [...PII_ACTIONS] };

function schemaOf(dto: Dto, onNested: (nested: Dto) => void): JsonObject {
  const schema = targetConstructorToSchema(dto, {
    additionalConverters: {
      [ValidationTypes.NESTED_VALIDATION]: (meta) => {
        const { dto: nested } = meta.context as NestedContext;
        onNested(nested());
        return schemaRef(nested());
      },
      [ValidationTypes.CONDITIONAL_VALIDATION]: (meta) =>
        meta.name === IS_OPTIONAL ? { nullable: true } : {},
      isInstant: { type: 'string', format: 'date-time' },
      isMoment: { type: 'string', description: 'RFC 3339, or milliseconds since the epoch' },
      isCursor: { type: 'string' },
      isPiiClasses: {
        type: 'object',
        properties: Object.fromEntries(PII_CLASSES.map((piiClass) => [piiClass, PII_ACTION_SCHEMA])),
        additionalProperties: false,
      },
      isHealthRecord: { type: 'object', additionalProperties: { type: 'string' } },
      isHeaderRecord: { type: 'object', additionalProperties: { type: 'string' } },
    },
  }) as unknown as JsonObject;
  const properties = Object.entries(schema['properties'] as Record<string, JsonObject>);
  return {
    ...schema,
    additionalProperties: false,
    properties: Object.fromEntries(properties.map(([name, property]) => [name, withNull(property)])),
  };
}

/** JSON Schema, and with it OpenAPI 3.1, knows no `nullable`: null is a type. */
function withNull({ nullable, ...property }: JsonObject): JsonObject {
  return nullable === true ? { anyOf: [property, { type: 'null' }] } : property;
}
