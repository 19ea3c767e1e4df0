import type { ProviderAct } from '../../usecase/port/rehearsal-stage';
import type { Behaviour } from '../simulator/behaviour';

/** Of a streamed answer, a break comes after so many pieces. */
const PIECES_BEFORE_BREAK = 2;

/** What a simulated provider does with one call, in the simulator's own words. */
export function behaviourOf(act: ProviderAct): Behaviour {
  switch (act.kind) {
    case 'answers':
      return { kind: 'answer' };
    case 'is_down':
      return { kind: 'status', status: 503 };
    case 'rate_limits':
      return { kind: 'status', status: 429, headers: { 'retry-after': String(act.retryAfterSeconds) } };
    case 'refuses_request':
      return { kind: 'status', status: 400 };
    case 'holds':
      return { kind: 'answer', holdAt: act.at === 'before_headers' ? 'before_headers' : 1 };
    case 'breaks_off':
      return { kind: 'answer', interruption: { after: PIECES_BEFORE_BREAK, by: 'close' } };
  }
}
