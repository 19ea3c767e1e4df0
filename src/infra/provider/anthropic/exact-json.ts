import type { JsonValue } from '../../../domain/kernel/json';

/** Node's JSON knows the source text of a number since 21; TypeScript's library doesn't yet. */
type ExactJson = Readonly<{
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): JsonValue;
  rawJSON(text: string): JsonValue;
}>;

const exactly = JSON as unknown as ExactJson;

/** Only a run of 16 digits can be an integer above 2^53. */
const LONG_DIGITS = /\d{16}/;
const INTEGER = /^-?\d+$/;

/**
 * The value of a JSON text, or undefined if it is none. Integers that JavaScript would round are kept as raw JSON, which
 * `JSON.stringify` prints digit for digit (WIRE §1.7).
 */
export function parseExactly(text: string): JsonValue | undefined {
  try {
    return LONG_DIGITS.test(text) ? exactly.parse(text, keepLongIntegers) : (JSON.parse(text) as JsonValue);
  } catch {
    return undefined;
  }
}

function keepLongIntegers(_key: string, value: unknown, { source }: { source?: string }): unknown {
  const isRounded =
    typeof value === 'number' && source !== undefined && INTEGER.test(source) && !Number.isSafeInteger(value);
  return isRounded ? exactly.rawJSON(source) : value;
}

/** Whether a value nests deeper than `levels`; what does could overflow the stack when it is printed. */
export function isDeeperThan(value: JsonValue | undefined, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member: JsonValue | undefined) => isDeeperThan(member, levels - 1));
}
