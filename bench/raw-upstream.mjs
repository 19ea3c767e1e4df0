/**
 * The provider at the end of every path: answers at once, or streams 50 chunks at 20 ms, on both wires. Chunks begin with
 * the time at which they were written, so that a client can tell how long they were under way.
 */
import { createServer } from 'node:http';
import { endWithParent, readBody, tellPort } from './child.mjs';
import { CHUNK_INTERVAL_MS, CHUNKS, question } from './workload.mjs';

const CREATED = 1_790_000_000;
const USAGE = { prompt_tokens: 220, completion_tokens: 180, total_tokens: 400 };

const event = (value) => `data: ${JSON.stringify(value)}\n\n`;
const named = (value) => `event: ${value.type}\n${event(value)}`;
const stamp = () => `t=${(performance.timeOrigin + performance.now()).toFixed(3)} snow `;

const WIRES = {
  '/v1/chat/completions': {
    begin: () => '',
    chunk: (model, position) => {
      const delta = position === 0 ? { role: 'assistant', content: stamp() } : { content: stamp() };
      const choices = [{ index: 0, delta, finish_reason: position === CHUNKS - 1 ? 'stop' : null }];
      return event({
        id: 'chatcmpl-bench',
        object: 'chat.completion.chunk',
        created: CREATED,
        model,
        choices,
      });
    },
    end: (model, { stream_options: options }) => {
      const usage = { id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: CREATED, model };
      const asked = options?.include_usage === true;
      return `${asked ? event({ ...usage, choices: [], usage: USAGE }) : ''}data: [DONE]\n\n`;
    },
  },
  '/v1/messages': {
    begin: (model) => {
      const usage = { input_tokens: 220, output_tokens: 1 };
      const message = { id: 'msg_bench', type: 'message', role: 'assistant', model, content: [], usage };
      const block = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
      return named({ type: 'message_start', message }) + named(block);
    },
    chunk: () =>
      named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: stamp() } }),
    end: () =>
      named({ type: 'content_block_stop', index: 0 }) +
      named({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 180 } }) +
      named({ type: 'message_stop' }),
  },
};

function answer(res, { model }) {
  const message = { role: 'assistant', content: question(800), refusal: null };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: 'stop' }];
  const body = {
    id: 'chatcmpl-bench',
    object: 'chat.completion',
    created: CREATED,
    model,
    choices,
    usage: USAGE,
  };
  const text = JSON.stringify(body);
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  res.end(text);
}

function stream(res, wire, body) {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  const head = wire.begin(body.model);
  if (head !== '') res.write(head);
  let sent = 0;
  const timer = setInterval(() => {
    res.write(wire.chunk(body.model, sent));
    sent += 1;
    if (sent < CHUNKS) return;
    clearInterval(timer);
    res.end(wire.end(body.model, body));
  }, CHUNK_INTERVAL_MS);
  res.once('close', () => clearInterval(timer));
}

const server = createServer({ keepAliveTimeout: 120_000 }, async (req, res) => {
  const body = JSON.parse(await readBody(req));
  const wire = WIRES[req.url];
  if (wire === undefined) res.writeHead(404).end();
  else if (body.stream === true) stream(res, wire, body);
  else answer(res, body);
});

endWithParent();
tellPort(server, 0);
