import type { AnswerBehaviour, AnswerPoint, Interruption } from './behaviour';
import type { CallContext } from './call-context';
import { tokensIn } from './charge';
import { planAnswer, type PlannedAnswer } from './planned-answer';
import { sendFault } from './perform-fault';
import type { StreamFrame } from './wire-format';

const DEFAULT_PING_INTERVAL_MS = 100;
/** The status of an error that strikes before the headers of an unstreamed answer. */
const OVERLOADED_STATUS = 529;

/** Answers, whole or streamed as the prompt wants, as far as the script lets it come. */
export async function performAnswer(script: AnswerBehaviour, call: CallContext): Promise<void> {
  await call.reply.pause(script.delayMs ?? 0);
  if (script.holdAt === 'before_headers') await call.reply.waitFor(call.released);
  // Nothing was said to a caller who left before the headers, so nothing is billed.
  if (!call.reply.isOpen) return;
  const answer = planAnswer(call.prompt, script, call.speaker);
  await (call.prompt.delivery === 'stream' ? stream(answer, script, call) : sendWhole(answer, script, call));
}

async function sendWhole(answer: PlannedAnswer, script: AnswerBehaviour, call: CallContext): Promise<void> {
  const { wire, identity, reply } = call;
  const { interruption } = script;
  if (interruption?.by === 'error') return sendError(interruption, call);
  const body = JSON.stringify(wire.wholeAnswer(answer, identity));
  reply.head(200, { 'content-type': 'application/json', ...wire.headers(identity, 200), ...script.headers });
  if (script.holdAt !== undefined && script.holdAt !== 'before_headers') await reply.waitFor(call.released);
  const { isOpen } = reply;
  if (!interruption) reply.end(body);
  else if (interruption.after !== 'headers') await reply.write(body.slice(0, body.length / 2));
  // A model that has answered whole has produced all of it, whoever gets to read it.
  if (isOpen) call.bill({ ...tokensOf(answer), extent: interruption ? 'partial' : 'complete' });
  if (interruption) await interrupt(interruption, call);
}

function sendError(interruption: Interruption, call: CallContext): void {
  if (!interruption.error) return sendFault(OVERLOADED_STATUS, {}, call);
  call.reply.head(OVERLOADED_STATUS, {
    'content-type': 'application/json',
    ...call.wire.headers(call.identity, OVERLOADED_STATUS),
  });
  call.reply.end(JSON.stringify(interruption.error));
}

async function stream(answer: PlannedAnswer, script: AnswerBehaviour, call: CallContext): Promise<void> {
  const { wire, identity, reply, prompt } = call;
  reply.head(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    ...wire.headers(identity, 200),
    ...script.headers,
  });
  const frames = wire.streamFrames(answer, identity, prompt);
  const { interruption } = script;
  const sent = interruption ? framesUntil(interruption.after, frames) : frames;
  const holdAfter =
    script.holdAt === undefined || script.holdAt === 'before_headers'
      ? undefined
      : framesUntil(script.holdAt, sent);
  const said = await sendFrames(
    sent,
    { holdAfter: holdAfter?.length, chunkDelayMs: script.chunkDelayMs ?? call.chunkDelayMs },
    call,
  );
  billStream(answer, { said, interruption }, call);
  if (interruption) await interrupt(interruption, call);
  else reply.end();
}

/** An error that comes first is on no bill, unless the input was on it already. */
function billStream(
  answer: PlannedAnswer,
  { said, interruption }: Readonly<{ said: string; interruption: Interruption | undefined }>,
  { wire, reply, bill }: CallContext,
): void {
  if (!interruption && reply.isOpen) return bill({ ...tokensOf(answer), extent: 'complete' });
  if (interruption?.by === 'error' && said === '' && !wire.billsInputFirst) return;
  bill({ ...tokensOf(answer), outputTokens: tokensIn(said), extent: 'partial' });
}

type Pace = Readonly<{ holdAfter: number | undefined; chunkDelayMs: number }>;

/** Sends the frames while the caller is there, and returns the output that went out. */
async function sendFrames(
  frames: readonly StreamFrame[],
  pace: Pace,
  { reply, released }: CallContext,
): Promise<string> {
  let said = '';
  for (const [index, frame] of frames.entries()) {
    if (index === pace.holdAfter) await reply.waitFor(released);
    if (frame.role === 'output' && pace.chunkDelayMs > 0) await reply.pause(pace.chunkDelayMs);
    if (!reply.isOpen) return said;
    await reply.write(frame.text);
    said += frame.output;
  }
  if (frames.length === pace.holdAfter) await reply.waitFor(released);
  return said;
}

/** The frames that are out at a point of the answer. */
function framesUntil(point: AnswerPoint, frames: readonly StreamFrame[]): readonly StreamFrame[] {
  if (point === 'headers') return [];
  const outputs = frames.flatMap((frame, index) => (frame.role === 'output' ? [index] : []));
  const beforeOutput = frames.slice(0, outputs[0] ?? frames.length);
  if (point === 'preamble') return beforeOutput.filter((frame) => frame.role === 'preamble');
  if (point === 0 || outputs.length === 0) return beforeOutput;
  return frames.slice(0, (outputs[point - 1] ?? outputs.at(-1) ?? 0) + 1);
}

async function interrupt(interruption: Interruption, { wire, identity, reply }: CallContext): Promise<void> {
  switch (interruption.by) {
    case 'error':
      return reply.end(wire.errorFrame(interruption.error, identity));
    case 'reset':
      return reply.reset();
    case 'close':
      return reply.close();
    case 'end':
      return reply.end();
    case 'stall':
      return reply.closed();
    case 'pings':
      while (reply.isOpen) {
        await reply.write(wire.ping);
        await reply.pause(interruption.pingIntervalMs ?? DEFAULT_PING_INTERVAL_MS);
      }
  }
}

function tokensOf({ usage }: PlannedAnswer): { inputTokens: number; outputTokens: number } {
  return {
    inputTokens: usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens,
    outputTokens: usage.outputTokens,
  };
}
