import { isJsonObject, type JsonObject, type JsonValue } from '../../../../domain/kernel/json';
import { ok } from '../../../../domain/kernel/result';
import { gate, given, isList, reject, type Scope, type Translated } from './translation';

/** `plain`: the value asks for nothing; `drop`: a hint that is left out and noted; else why the request can't go. */
type Fate = 'plain' | 'drop' | Readonly<{ kind: 'gate' | 'reject'; message: string }>;
type FieldRule = (value: JsonValue) => Fate;

const cannot = (message: string): Fate => ({ kind: 'gate', message });
const wrong = (message: string): Fate => ({ kind: 'reject', message });

const plain: FieldRule = () => 'plain';
const drop: FieldRule = () => 'drop';
const never: FieldRule = () => cannot('is not known to this model');
const dropUnless =
  (harmless: JsonValue): FieldRule =>
  (value) =>
    value === harmless ? 'plain' : 'drop';
const dropUnlessEmpty: FieldRule = (value) => (isEmptyObject(value) ? 'plain' : 'drop');
const flag =
  (whenTrue: Fate): FieldRule =>
  (value) => {
    if (typeof value !== 'boolean') return wrong('must be true or false');
    return value ? whenTrue : 'plain';
  };
const penalty: FieldRule = (value) => {
  if (typeof value !== 'number' || Math.abs(value) > 2) return wrong('must be a number from -2 to 2');
  return value === 0 ? 'plain' : 'drop';
};

/** The rows of WIRE §2 that put nothing into the body; the other fields are read by the parts named after them. */
const FATES: Readonly<Record<string, FieldRule>> = {
  frequency_penalty: penalty,
  presence_penalty: penalty,
  logit_bias: dropUnlessEmpty,
  seed: drop,
  n: choiceCount,
  logprobs: flag(cannot('this model reports no log probabilities')),
  top_logprobs: (value) => (value === 0 ? 'plain' : cannot('this model reports no log probabilities')),
  functions: (value) => (isList(value) && value.length === 0 ? 'plain' : never(value)),
  function_call: never,
  verbosity: dropUnless('medium'),
  modalities: (value) =>
    isList(value) && value.every((kind) => kind === 'text')
      ? 'plain'
      : cannot('this model answers with text only'),
  audio: never,
  prediction: drop,
  web_search_options: cannotSearch,
  moderation: () => cannot("this model can't apply the moderation policy"),
  metadata: dropUnlessEmpty,
  store: flag('drop'),
  prompt_cache_key: plain,
  prompt_cache_retention: plain,
  prompt_cache_options: plain,
  stream: plain,
  stream_options: plain,
};

const TRANSLATED = new Set([
  ...['model', 'messages', 'max_completion_tokens', 'max_tokens', 'temperature', 'top_p', 'stop', 'tools'],
  ...[
    'tool_choice',
    'parallel_tool_calls',
    'response_format',
    'reasoning_effort',
    'user',
    'safety_identifier',
  ],
  'service_tier',
]);

/** Judges the fields that have no counterpart. An unknown field is left out and noted: Anthropic answers 400 to it. */
export function judgeHints(body: JsonObject, scope: Scope): Translated<null> {
  for (const field of Object.keys(body)) {
    const value = given(body, field);
    if (value === undefined || TRANSLATED.has(field)) continue;
    const rule = Object.hasOwn(FATES, field) ? FATES[field] : drop;
    const fate = rule?.(value) ?? 'plain';
    if (fate === 'drop') scope.note(field);
    else if (fate !== 'plain')
      return fate.kind === 'gate' ? gate(field, fate.message) : reject(field, fate.message);
  }
  return ok(null);
}

function choiceCount(value: JsonValue): Fate {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > 128) {
    return wrong('must be a whole number from 1 to 128');
  }
  return value === 1 ? 'plain' : cannot('this model gives one choice only');
}

/** It would run tools at the provider, which a replay could repeat. */
function cannotSearch(): Fate {
  return cannot('this route runs no web search');
}

function isEmptyObject(value: JsonValue): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}
