/** What is sent and answered: PERFORMANCE's request and answer of 1 KB, and its stream of 50 chunks at 20 ms. */
export const CHUNKS = 50;
export const CHUNK_INTERVAL_MS = 20;

const MODEL = { untranslated: 'bench-model', translated: 'bench-claude' };
const PROSE =
  'The snow on the ridge is deep, dry and quiet; nobody has crossed it since the storm of last night. ';

export const question = (length) => PROSE.repeat(Math.ceil(length / PROSE.length)).slice(0, length);

/** A chat completion request of about 1 KB. */
export function requestBody({ stream = false, wire = 'untranslated' } = {}) {
  const messages = [
    { role: 'system', content: 'You are terse.' },
    { role: 'user', content: question(850) },
  ];
  return JSON.stringify({ model: MODEL[wire], stream, temperature: 0.2, max_tokens: 256, messages });
}

/** A conversation of 20 messages, with a tool call and its result in every fifth turn. */
export function longConversation() {
  const messages = [{ role: 'system', content: 'You are terse.' }];
  for (let turn = 0; messages.length < 20; turn++) {
    if (turn % 5 === 4) messages.push(...toolExchange(turn));
    else messages.push({ role: turn % 2 === 0 ? 'user' : 'assistant', content: question(120) });
  }
  const parameters = { type: 'object', properties: { ridge: { type: 'string' } }, required: ['ridge'] };
  const tools = [{ type: 'function', function: { name: 'snow_depth', parameters } }];
  return { model: MODEL.translated, max_tokens: 256, tools, messages: messages.slice(0, 20) };
}

function toolExchange(turn) {
  const id = `call_${turn}`;
  const called = { name: 'snow_depth', arguments: '{"ridge":"north"}' };
  return [
    { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: called }] },
    { role: 'tool', tool_call_id: id, content: '{"depth_cm":182}' },
  ];
}
