import type { Clock } from '../port/clock';
import type { InteractionStore } from '../port/interaction-store';
import type { OpenInteractions } from '../port/open-interactions';
import { interruptedClosing } from './interrupted-closing';

/**
 * A running interaction closes at its deadline and needs a moment for the write, and clocks of replicas differ a little.
 * A minute past the deadline nobody is coming any more.
 */
export const CLOSING_GRACE_MS = 60_000;

/** Interactions read at a time: bounds the memory, however many a crash has left. */
const AT_A_TIME = 100;

export type ReconcileInteractionsDeps = Readonly<{
  openInteractions: OpenInteractions;
  interactions: InteractionStore;
  clock: Clock;
}>;

/** Closes what a crash left open, from what its ledger says (DESIGN §7). */
export class ReconcileInteractions {
  constructor(private readonly deps: ReconcileInteractionsDeps) {}

  /** Returns how many it closed. Runs in several processes at once close each interaction once. */
  async execute(): Promise<number> {
    const { openInteractions, interactions, clock } = this.deps;
    const nowMs = clock.nowMs();
    let closed = 0;
    for (;;) {
      const overdue = await openInteractions.findOpenBefore(nowMs - CLOSING_GRACE_MS, AT_A_TIME);
      const outcomes = await Promise.all(
        overdue.map((open) => interactions.close(interruptedClosing(open, nowMs))),
      );
      closed += outcomes.filter((outcome) => outcome === 'closed').length;
      if (overdue.length < AT_A_TIME) return closed;
    }
  }
}
