import type { OfferingId } from '../../domain/kernel/ids';

/** The one trial slot of each route, where several processes share it (ADR 20). */
export interface TrialSlots {
  /**
   * Whether the trial that this process has granted with `generation` may be made. False: another process tries, and until it
   * has ended the slot is taken here too; the permission must not be reported. Bounded, and true where nobody can be asked.
   */
  claim(route: OfferingId, generation: number): Promise<boolean>;
}
