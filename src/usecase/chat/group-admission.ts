import { fullGroups, NO_FULL_GROUPS, type FullGroups } from '../../domain/rate/full-groups';
import { groupCounters, type GroupCounter } from '../../domain/rate/rate-counter';
import type { Tenant } from '../../domain/tenant/tenant';
import type { Clock } from '../port/clock';
import type { RequestRates } from '../port/request-rates';

export type GroupAdmissionDeps = Readonly<{ rates: RequestRates; clock: Clock }>;

/**
 * One interaction's way into the channel groups of its tenant that are limited (DESIGN §5, `group_rpm`). It is counted once
 * per group, with the first attempt there; retries and other channels of that group cost nothing more.
 */
export class GroupAdmission {
  /** As of the latest look. */
  full: FullGroups = NO_FULL_GROUPS;
  /** What the latest `take` has counted; null: nothing. */
  private taken: GroupCounter | null = null;

  private constructor(
    private readonly deps: GroupAdmissionDeps,
    /** Of the groups that this interaction wasn't admitted to yet. */
    private counters: readonly GroupCounter[],
  ) {}

  /** Null: the tenant has no limited group, and there is nothing to wait for. */
  static of(tenant: Tenant, deps: GroupAdmissionDeps): GroupAdmission | null {
    const counters = groupCounters(tenant);
    return counters.length === 0 ? null : new GroupAdmission(deps, counters);
  }

  /** Looks which groups are full, before it is decided where to go. */
  async look(): Promise<void> {
    const { rates, clock } = this.deps;
    const { counters } = this;
    this.full = fullGroups(counters, await rates.look(counters), clock.nowMs());
  }

  /** Counts an attempt that is about to be made. False: the group has become full since it was looked at. */
  async take(group: string): Promise<boolean> {
    const { rates, clock } = this.deps;
    const counter = this.counters.find((one) => one.group === group);
    this.taken = null;
    if (counter === undefined) return true;
    const { admitted, resetMs } = await rates.take(counter);
    if (admitted) {
      this.taken = counter;
      this.counters = this.counters.filter((one) => one !== counter);
    } else this.full = new Map([...this.full, [group, clock.nowMs() + resetMs]]);
    return admitted;
  }

  /** The attempt of the latest `take` isn't made after all: whoever calls no provider uses up nothing. */
  async giveBack(): Promise<void> {
    const { taken } = this;
    if (taken === null) return;
    this.taken = null;
    this.counters = [...this.counters, taken];
    await this.deps.rates.giveBack(taken);
  }
}
