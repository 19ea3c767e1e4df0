import { types, type CustomTypesConfig } from 'pg';

/** The wire's name of `bigint`. */
const INT8 = 20;

/**
 * Times, tokens and money are bigint columns and whole numbers here. One that a number can't hold exactly fails the query:
 * a rounded amount would be wrong without anybody noticing.
 */
export function safeInteger(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new Error(`The store holds ${text}, which is beyond the whole numbers that are exact here.`);
}

type TypeParser = (text: string) => unknown;

export const TYPE_PARSERS: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): TypeParser =>
    oid === INT8 && format !== 'binary'
      ? safeInteger
      : (types.getTypeParser as (oid: number, format?: string) => TypeParser)(oid, format),
};
