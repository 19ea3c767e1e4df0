import { isJsonObject, type JsonObject, type JsonValue } from '../../../../domain/kernel/json';
import { ok } from '../../../../domain/kernel/result';
import { textBlock, type Block } from './block';
import { documentBlock } from './document-part';
import { imageBlock } from './image-part';
import { gate, given, isList, reject, translateEach, type Scope, type Translated } from './translation';

type PartRule = (part: JsonObject, param: string, scope: Scope) => Translated<Block>;

/** Which parts a kind of message may hold; whatever isn't named here can't cross (WIRE §4). */
export type PartRules = Readonly<Record<string, PartRule>>;

const text: PartRule = (part, param) =>
  typeof part.text === 'string' ? ok(textBlock(part.text)) : reject(`${param}.text`, 'must be a string');

const refusal: PartRule = (part, param) =>
  typeof part.refusal === 'string'
    ? ok(textBlock(part.refusal))
    : reject(`${param}.refusal`, 'must be a string');

export const SYSTEM_PARTS: PartRules = { text };
export const ASSISTANT_PARTS: PartRules = { text, refusal };
export const USER_PARTS: PartRules = { text, image_url: imageBlock, file: documentBlock };
export const TOOL_PARTS: PartRules = { text, image_url: imageBlock };

/** The blocks of a message's `content`: a string, or a list of parts. */
export function contentBlocks(
  content: JsonValue | undefined,
  param: string,
  rules: PartRules,
  scope: Scope,
): Translated<readonly Block[]> {
  if (typeof content === 'string') return ok([textBlock(content)]);
  if (!isList(content)) return reject(param, 'must be a string or a list of content parts');
  return translateEach(content, (part, index) => partBlock(part, `${param}[${index}]`, rules, scope));
}

function partBlock(part: JsonValue, param: string, rules: PartRules, scope: Scope): Translated<Block> {
  if (!isJsonObject(part) || typeof part.type !== 'string')
    return reject(`${param}.type`, 'must name a content part');
  const rule = Object.hasOwn(rules, part.type) ? rules[part.type] : undefined;
  if (rule === undefined)
    return gate(`${param}.type`, `content of type "${part.type}" can't be sent here to this model`);
  const translated = rule(part, param, scope);
  if (!translated.ok || !marksCacheBreakpoint(part)) return translated;
  return ok({ ...translated.value, cache_control: { type: 'ephemeral' } });
}

function marksCacheBreakpoint(part: JsonObject): boolean {
  const mark = given(part, 'prompt_cache_breakpoint');
  return mark !== undefined && mark !== false;
}
