import type { JsonObject } from '../../domain/kernel/json';
import { isJsonObject } from '../../domain/kernel/json';
import type { Asking, Check, CheckCall, Finding, SpokenAnswer } from './check';
import { inconclusive, judged } from './finding';
import { parsedObject } from './parsed-object';

const NAME = 'snow_depth';
const tools = [
  {
    type: 'function',
    function: {
      name: NAME,
      description: 'Tells how deep the snow is at a place.',
      parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
    },
  },
];
const question = { role: 'user', content: `How deep is the snow in Davos? Call ${NAME} to find out.` };

/** A tool that should be called, and an answer that goes on from its result. */
export const TOOLS_CHECK: Check = {
  names: ['tools', 'tool_results'],
  isOffered: (contract) => contract.tools,
  run: async (_subject, asking) => {
    const call = await asking.ask({ messages: [question], tools });
    return [judged('tools', call, callsTool), await toolResults(call, asking)];
  },
};

/** A tool that has to be called although nothing asks for it. */
export const FORCED_TOOL_CHECK: Check = {
  names: ['forced_tool_choice'],
  isOffered: (contract) => contract.tools && contract.forcedToolChoice,
  run: async (_subject, asking) => {
    const call = await asking.ask({
      messages: [{ role: 'user', content: 'Greetings from Davos.' }],
      tools,
      tool_choice: { type: 'function', function: { name: NAME } },
    });
    return [judged('forced_tool_choice', call, callsTool)];
  },
};

async function toolResults(call: CheckCall, asking: Asking): Promise<Finding> {
  const made = call.kind === 'answered' ? call.answer.toolCalls.find(isCallOfTool) : undefined;
  if (made === undefined) return inconclusive('tool_results', call, 'no_tool_call');
  const result = { role: 'tool', tool_call_id: made.id, content: '31 centimetres' };
  const followUp = await asking.ask({
    messages: [question, { role: 'assistant', content: null, tool_calls: [made] }, result],
    tools,
  });
  return judged('tool_results', followUp, ({ text }) => (text.trim() === '' ? 'no_output' : null));
}

function callsTool({ toolCalls }: SpokenAnswer): string | null {
  const made = toolCalls.find(isCallOfTool);
  if (made === undefined) return 'no_tool_call';
  return parsedObject(functionOf(made).arguments) === null ? 'bad_arguments' : null;
}

function isCallOfTool(call: JsonObject): boolean {
  return functionOf(call).name === NAME;
}

function functionOf(call: JsonObject): JsonObject {
  return isJsonObject(call.function) ? call.function : {};
}
