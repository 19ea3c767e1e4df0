import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/kernel/json';
import type { Performance, RehearsalStage, Setting } from '../port/rehearsal-stage';
import type { Ask } from './barrier';
import { leftOut, rehearsed, type Rehearsal } from './drill';
import { unequal } from './judge';
import { ladderOf } from './ladder';
import { alsoDiffering, firstRung, playScene, questionOf } from './scene';
import { atPrimary, HEALTHY } from './script';

const WITH_TOOLS: Ask = { stream: false, tools: true };
const TOOL = {
  type: 'function',
  function: {
    name: 'measure_snow',
    description: 'Measures how deep the snow is.',
    parameters: { type: 'object', properties: { station: { type: 'string' } }, required: ['station'] },
  },
};

/**
 * A tool loop whose second turn finds the primary down: whoever answers gets the tool's result with the id of its call,
 * and doesn't ask for the tool again.
 */
export async function toolWorkflow(setting: Setting, stage: RehearsalStage): Promise<Rehearsal> {
  if (firstRung(setting, WITH_TOOLS) === null)
    return leftOut('no eligible route of the policy can use tools');
  const question: JsonObject = { ...questionOf(setting, WITH_TOOLS), tools: [TOOL] };
  const first = await playScene(setting, stage, { ask: WITH_TOOLS, script: HEALTHY, body: question });
  const asked = messageOf(first.seen);
  const ids = listOf(asked?.tool_calls).flatMap((call) => (isJsonObject(call) ? [call.id] : []));
  const firstTurn = alsoDiffering(first, unequal('tool calls in the first turn', 1, ids.length));
  if (asked === null || ids.length !== 1) return rehearsed(firstTurn);

  const results = ids.map((id) => ({ role: 'tool', tool_call_id: id, content: '{"depth_cm": 42}' }));
  const body = { ...question, messages: [...listOf(question.messages), asked, ...results] };
  const script = atPrimary(ladderOf(setting, WITH_TOOLS), { kind: 'is_down' });
  const second = await playScene(setting, stage, { ask: WITH_TOOLS, script, body });
  const again = listOf(messageOf(second.seen)?.tool_calls).length;
  return rehearsed(
    firstTurn,
    alsoDiffering(second, [...unpaired(second.seen), ...unequal('tools asked for again', 0, again)]),
  );
}

/** Calls in which a tool's result does not belong to exactly one call of that tool, in the words of either wire. */
function unpaired({ calls }: Performance): readonly string[] {
  return calls.flatMap(({ channel, body }) => {
    const asked = idsIn(body, ({ type, id }) =>
      type === 'function' || type === 'tool_use' ? id : undefined,
    );
    const given = idsIn(body, ({ tool_call_id: openAi, tool_use_id: anthropic }) => openAi ?? anthropic);
    const paired = asked.length === 1 && given.length === 1 && asked[0] === given[0];
    return paired
      ? []
      : [`channel ${channel} got the tool calls [${asked.join()}] with results for [${given.join()}]`];
  });
}

function idsIn(value: JsonValue, idOf: (object: JsonObject) => JsonValue | undefined): readonly string[] {
  if (Array.isArray(value)) return listOf(value).flatMap((entry) => idsIn(entry, idOf));
  if (!isJsonObject(value)) return [];
  const id = idOf(value);
  const inside = Object.values(value).flatMap((member) => idsIn(member ?? null, idOf));
  return typeof id === 'string' ? [id, ...inside] : inside;
}

function messageOf({ answer }: Performance): JsonObject | null {
  const [choice] = listOf(answer?.document?.choices);
  const message = isJsonObject(choice) ? choice.message : null;
  return isJsonObject(message) ? message : null;
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}
