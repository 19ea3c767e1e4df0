import type { Clock } from '../port/clock';
import type { InteractionStore } from '../port/interaction-store';
import type { OpenInteractions } from '../port/open-interactions';
import type { SpooledClosings } from '../port/spooled-closings';
import { interruptedClosing } from './interrupted-closing';

/**
 * A running interaction closes at its deadline and needs a moment for the write, and clocks of replicas differ a little.
 * A minute past the deadline nobody is coming any more.
 */
export const CLOSING_GRACE_MS = 60_000;

/** Interactions read at a time: bounds the memory, however many a crash has left. */
const AT_A_TIME = 100;

export type ReconcileInteractionsDeps = Readonly<{
  spooled: SpooledClosings;
  openInteractions: OpenInteractions;
  interactions: InteractionStore;
  clock: Clock;
}>;

/** Closes what a crash left open, from what its ledger says (DESIGN §7). */
export class ReconcileInteractions {
  private store: 'there' | 'away' = 'there';

  constructor(private readonly deps: ReconcileInteractionsDeps) {}

  /**
   * Returns how many it closed. Runs in several processes at once close each interaction once. The first run that finds the
   * store again closes nothing: until the next one, each process can write what it had to keep meanwhile, which says more.
   */
  async execute(): Promise<number> {
    const before = this.store;
    this.store = 'away';
    const closed = await this.closeOverdue(before);
    this.store = 'there';
    return closed;
  }

  private async closeOverdue(before: 'there' | 'away'): Promise<number> {
    const { spooled, openInteractions, interactions, clock } = this.deps;
    // What is in the spool has an ending already, and another one would be made up here.
    await spooled.writeAll();
    const nowMs = clock.nowMs();
    let closed = 0;
    for (;;) {
      const overdue = await openInteractions.findOpenBefore(nowMs - CLOSING_GRACE_MS, AT_A_TIME);
      if (before === 'away') return 0;
      const outcomes = await Promise.all(
        overdue.map((open) => interactions.close(interruptedClosing(open, nowMs))),
      );
      closed += outcomes.filter((outcome) => outcome === 'closed').length;
      if (overdue.length < AT_A_TIME) return closed;
    }
  }
}
