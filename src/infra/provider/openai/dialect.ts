import type { ModelContract } from '../../../domain/catalog/model-contract';
import type { JsonObject, JsonValue } from '../../../domain/kernel/json';
import { isJsonObject } from '../../../domain/kernel/json';
import { CHAT_FIELDS } from './chat-fields';

type Dialect = Readonly<{ body: JsonObject; ignoredParams: readonly string[] }>;
type Note = (param: string) => void;
type WritingRule = (body: JsonObject, contract: ModelContract, note: Note) => JsonObject;

/** A caller may name any number of unknown fields; the ledger doesn't have to hold them all. */
const MAX_NOTES = 64;

const RULES: readonly WritingRule[] = [
  inTokenLimitField,
  withoutDeveloper,
  withoutStreamOptions,
  inKnownEfforts,
  inKnownFields,
];

/**
 * The body in the words of the upstream (WIRE §11, writing rules): what only changes its name is silent, what is left out
 * is noted. The same object where nothing has to change.
 */
export function inDialect(body: JsonObject, contract: ModelContract): Dialect {
  const notes = new Set<string>();
  const note: Note = (param) => {
    if (notes.size < MAX_NOTES) notes.add(param);
  };
  let written = body;
  for (const rule of RULES) written = rule(written, contract, note);
  return { body: written, ignoredParams: [...notes] };
}

const OTHER_LIMIT = { max_tokens: 'max_completion_tokens', max_completion_tokens: 'max_tokens' } as const;

/** Where the caller gave both, the newer field holds, as everywhere in the gateway. */
function inTokenLimitField(body: JsonObject, { tokenLimitField = 'any' }: ModelContract): JsonObject {
  if (tokenLimitField === 'any') return body;
  const other = OTHER_LIMIT[tokenLimitField];
  if (!Object.hasOwn(body, other)) return body;
  const limit = body.max_completion_tokens ?? body.max_tokens;
  const rest = without(body, other);
  return limit === undefined || limit === null ? rest : { ...rest, [tokenLimitField]: limit };
}

function withoutDeveloper(body: JsonObject, { developerRole = true }: ModelContract): JsonObject {
  const { messages } = body;
  if (developerRole || !isList(messages) || !messages.some(isByDeveloper)) return body;
  return {
    ...body,
    messages: messages.map((message) =>
      isJsonObject(message) && isByDeveloper(message) ? { ...message, role: 'system' } : message,
    ),
  };
}

function isByDeveloper(message: JsonValue): boolean {
  return isJsonObject(message) && message.role === 'developer';
}

/** The usage chunk that a caller may ask for is ours to write, so only what else he asked for is lost. */
function withoutStreamOptions(
  body: JsonObject,
  { streamOptions = true }: ModelContract,
  note: Note,
): JsonObject {
  if (streamOptions || !Object.hasOwn(body, 'stream_options')) return body;
  const options = body.stream_options;
  const asked = isJsonObject(options) ? Object.keys(options) : [];
  if (asked.some((option) => option !== 'include_usage')) note('stream_options');
  return without(body, 'stream_options');
}

/** From strong to weak. */
const EFFORTS: readonly string[] = ['max', 'xhigh', 'high', 'medium', 'low', 'minimal', 'none'];

/** An effort that the upstream lacks becomes the next weaker one, as towards Anthropic (WIRE §7.1); without one it is left out. */
function inKnownEfforts(
  body: JsonObject,
  { reasoningEfforts: known = null }: ModelContract,
  note: Note,
): JsonObject {
  const effort = body.reasoning_effort;
  if (known === null || typeof effort !== 'string' || known.includes(effort)) return body;
  note('reasoning_effort');
  const place = EFFORTS.indexOf(effort);
  const weaker = place < 0 ? undefined : EFFORTS.slice(place).find((level) => known.includes(level));
  return weaker === undefined ? without(body, 'reasoning_effort') : { ...body, reasoning_effort: weaker };
}

function inKnownFields(body: JsonObject, { strictBody = false }: ModelContract, note: Note): JsonObject {
  if (!strictBody) return body;
  const entries = Object.entries(body);
  const known = entries.filter(([field]) => CHAT_FIELDS.has(field));
  if (known.length === entries.length) return body;
  for (const [field, value] of entries) {
    if (!CHAT_FIELDS.has(field) && value !== null) note(field);
  }
  return Object.fromEntries(known);
}

function without(body: JsonObject, field: string): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));
}

function isList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}
