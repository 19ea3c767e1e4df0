import type { Behaviour } from './behaviour';
import type { CallContext } from './call-context';
import { performAnswer } from './perform-answer';
import { performGarbage, performRaw, performStatus } from './perform-fault';

/** Does to one call what the behaviour says. Resolves when nothing more will be written. */
export async function performBehaviour(behaviour: Behaviour, call: CallContext): Promise<void> {
  switch (behaviour.kind) {
    case 'answer':
      return performAnswer(behaviour, call);
    case 'status':
      return performStatus(behaviour, call);
    case 'hang':
      return call.reply.closed();
    case 'reset':
      await call.reply.pause(behaviour.delayMs ?? 0);
      return call.reply.reset();
    case 'garbage':
      return performGarbage(behaviour, call);
    case 'raw':
      return performRaw(behaviour, call);
  }
}

/** A provider that is down, hangs or refuses by status never looks at the request; any other one checks it first. */
export function readsRequest(behaviour: Behaviour): boolean {
  return behaviour.kind === 'answer' || behaviour.kind === 'garbage' || behaviour.kind === 'raw';
}
