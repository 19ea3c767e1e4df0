/** What translating costs by itself, in this process: issue 4's budgets are 50 µs a conversation and 10 µs a frame. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { median } from './statistics.mjs';
import { longConversation } from './workload.mjs';

const ROUNDS = 9;

export function microFigures(dist, repetitions) {
  const load = (path) => createRequire(import.meta.url)(join(dist, 'modules', path));
  const { translateRequest } = load('infra/provider/anthropic/anthropic-request.js');
  const { AnthropicStream } = load('infra/provider/anthropic/anthropic-stream.js');
  const { DEFAULT_CONTRACT } = load('usecase/catalog/default-contract.js');
  const body = longConversation();
  const context = {
    contract: { ...DEFAULT_CONTRACT, tools: true },
    upstreamName: 'bench-claude',
    hashUser: (user) => user,
    unsupportedParams: 'ignore',
  };
  const stream = openStream(AnthropicStream);
  const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'deep snow ' } };
  const event = { name: 'content_block_delta', data: JSON.stringify(delta), complete: true };
  return {
    conversationUs: timeUs(repetitions, () => translateRequest(body, context)),
    frameUs: timeUs(repetitions * 4, () => stream.translate(event, [])),
  };
}

function openStream(AnthropicStream) {
  const hints = { retryAfter: null, retryAfterMs: null, shouldRetry: null };
  const stream = new AnthropicStream({ redactor: null, hints, created: 0, fallbackId: 'bench' });
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage };
  const block = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
  for (const value of [{ type: 'message_start', message }, block]) {
    stream.translate({ name: value.type, data: JSON.stringify(value), complete: true }, []);
  }
  return stream;
}

/** CPU time, the median of several rounds, after one that warms up. */
function timeUs(repetitions, work) {
  const rounds = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const before = process.threadCpuUsage();
    for (let i = 0; i < repetitions; i++) work();
    const { user, system } = process.threadCpuUsage(before);
    if (round > 0) rounds.push((user + system) / repetitions);
  }
  return median(rounds);
}
