import type { JsonObject } from '../../../domain/kernel/json';
import { ok } from '../../../domain/kernel/result';
import { serviceTierOf, userIdOf } from './request/account-fields';
import { conversationOf, type Conversation } from './request/conversation';
import { judgeHints } from './request/hints';
import { reasoningOf, type Reasoning } from './request/reasoning';
import { outputFormatOf } from './request/response-format';
import { samplingOf } from './request/sampling';
import { stopSequencesOf } from './request/stop-sequences';
import { maxTokensOf } from './request/token-limit';
import { toolOfferOf, type ToolOffer } from './request/tool-choice';
import { toolsOf } from './request/tool-definition';
import {
  gate,
  type Scope,
  type Translated,
  type Translation,
  type TranslationContext,
} from './request/translation';

/** A caller may name any number of unknown fields; the ledger doesn't have to hold them all. */
const MAX_NOTES = 64;

/** A Chat Completions body as a Messages body (WIRE §2 to §7). Pure; whatever the body is, it never throws. */
export function translateRequest(body: JsonObject, context: TranslationContext): Translated<Translation> {
  const notes = new Set<string>();
  const scope: Scope = {
    contract: context.contract,
    hashUser: context.hashUser,
    note: (param) => {
      if (notes.size < MAX_NOTES) notes.add(param);
    },
  };
  const members = bodyMembers(body, scope);
  if (!members.ok) return members;
  const [first] = notes;
  if (first !== undefined && context.unsupportedParams === 'reject') {
    return gate(first, "can't be expressed on this route, and the policy rejects what would be ignored");
  }
  return ok({
    body: present({ model: context.upstreamName, stream: true, ...members.value }),
    ignoredParams: [...notes],
  });
}

function bodyMembers(body: JsonObject, scope: Scope): Translated<JsonObject> {
  const hints = judgeHints(body, scope);
  if (!hints.ok) return hints;
  const maxTokens = maxTokensOf(body, scope);
  if (!maxTokens.ok) return maxTokens;
  const conversation = conversationOf(body, scope);
  if (!conversation.ok) return conversation;
  const offer = offerOf(body, conversation.value, scope);
  if (!offer.ok) return offer;
  const output = outputMembers(body, conversation.value, scope);
  if (!output.ok) return output;
  const place = {
    maxTokens: maxTokens.value,
    isForced: offer.value.isForced,
    ending: conversation.value.ending,
  };
  const reasoning = reasoningOf(body, place, scope);
  if (!reasoning.ok) return reasoning;
  const sampling = samplingOf(body, thinks(reasoning.value), scope);
  if (!sampling.ok) return sampling;
  const { format, ...others } = output.value;
  return ok({
    max_tokens: maxTokens.value,
    ...conversationMembers(conversation.value),
    ...toolMembers(offer.value),
    ...others,
    output_config: nonEmpty(present({ effort: reasoning.value.effort, format })),
    thinking: reasoning.value.thinking,
    ...sampling.value,
  });
}

function offerOf(body: JsonObject, { calledTools }: Conversation, scope: Scope): Translated<ToolOffer> {
  const tools = toolsOf(body, scope);
  if (!tools.ok) return tools;
  if (tools.value.length > 0 && !scope.contract.tools) return gate('tools', 'this model calls no tools');
  return toolOfferOf(body, tools.value, calledTools, scope);
}

function outputMembers(body: JsonObject, { ending }: Conversation, scope: Scope): Translated<JsonObject> {
  const format = outputFormatOf(body, scope);
  if (!format.ok) return format;
  if (format.value !== undefined && ending === 'prefill') {
    return gate('response_format', 'this model guarantees no schema for a message that it only continues');
  }
  const stop = stopSequencesOf(body, scope);
  if (!stop.ok) return stop;
  const userId = userIdOf(body, scope);
  if (!userId.ok) return userId;
  return ok({
    stop_sequences: stop.value,
    metadata: userId.value === undefined ? undefined : { user_id: userId.value },
    service_tier: serviceTierOf(body, scope),
    format: format.value,
  });
}

function conversationMembers({ system, turns }: Conversation): JsonObject {
  return { system: system.length > 0 ? system : undefined, messages: turns };
}

function toolMembers({ tools, choice }: ToolOffer): JsonObject {
  return { tools: tools.length > 0 ? tools : undefined, tool_choice: choice };
}

function thinks({ thinking }: Reasoning): 'thinking' | 'not_thinking' {
  return thinking === undefined || thinking.type === 'disabled' ? 'not_thinking' : 'thinking';
}

function present(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function nonEmpty(members: JsonObject): JsonObject | undefined {
  return Object.keys(members).length > 0 ? members : undefined;
}
