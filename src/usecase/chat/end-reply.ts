import type { GatewayError } from '../../domain/error/gateway-error';
import type { Reply, ReplyEnding } from '../port/reply';
import type { InteractionCourse } from './interaction-course';

/** How the caller's answer ends; null: he has left, or takes nothing. `error`: what he is told instead of an answer. */
export function replyEndingOf(course: InteractionCourse, error: GatewayError | null): ReplyEnding | null {
  if (error !== null) return { kind: 'fail', error, attempts: course.ledger };
  if (course.served === null) return null;
  const { answer, facts } = course.served;
  return answer === null ? { kind: 'end', facts } : { kind: 'answer', answer, facts };
}

export function endReply(reply: Reply, ending: ReplyEnding | null): void {
  switch (ending?.kind) {
    case undefined:
      return reply.abandon();
    case 'fail':
      return reply.fail(ending.error, ending.attempts);
    case 'end':
      return reply.end(ending.facts);
    case 'answer':
      return reply.answer(ending.answer, ending.facts);
  }
}
