import type { ChatAnswer } from '../../domain/chat/chat-answer';
import { restoredAnswer } from '../../domain/pii/restoration';
import { NOTHING_WITHHELD, restoreFrames, type StreamRule } from '../../domain/pii/restored-stream';
import type { Frame } from '../../domain/stream/frame';
import type { ProviderReply, WholeReply } from '../port/chat-provider';

/** The reply with what was redacted put back in: nobody behind this sees a placeholder. */
export function restoredReply(reply: ProviderReply, rule: StreamRule): ProviderReply {
  switch (reply.kind) {
    case 'failed':
      return reply;
    case 'whole':
      return { ...reply, read: () => readRestored(reply, rule) };
    case 'stream':
      return { ...reply, frames: restoredFrames(reply.frames, rule) };
  }
}

async function readRestored(reply: WholeReply, rule: StreamRule): ReturnType<WholeReply['read']> {
  const outcome = await reply.read();
  return outcome.kind === 'answer' ? { ...outcome, answer: restored(outcome.answer, rule) } : outcome;
}

/** The provider's own text is no longer what the caller gets, if it holds a placeholder. */
function restored(answer: ChatAnswer, { restorable, content }: StreamRule): ChatAnswer {
  const body = restoredAnswer(answer.body, restorable, content);
  return body === answer.body ? answer : { ...answer, body, text: null };
}

async function* restoredFrames(
  groups: AsyncIterable<readonly Frame[]>,
  rule: StreamRule,
): AsyncGenerator<readonly Frame[]> {
  let state = NOTHING_WITHHELD;
  for await (const group of groups) {
    const step = restoreFrames(state, group, rule);
    state = step.state;
    yield step.frames;
  }
}
