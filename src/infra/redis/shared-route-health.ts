import { changedElsewhere, changesBetween } from '../../domain/health/health-change';
import type { RouteHealth } from '../../domain/health/route-health';
import type { OfferingId } from '../../domain/kernel/ids';
import type { RouteHealthStore } from '../../usecase/port/route-health';
import type { TrialSlots } from '../../usecase/port/trial-slots';
import type { HealthMessage, RouteChanges } from './health-message';
import type { HealthSharing } from './health-sharing';
import { SharedTrials } from './shared-trials';
import { changesOf, UntoldChanges } from './untold-changes';

/**
 * Shares openings, throttles and trials with the other replicas (ADR 20). A request reads and writes in memory and waits for
 * nobody, but for a trial, whose slot is one for all. What changed is told in the background; what others tell is taken in.
 */
export class SharedRouteHealth implements RouteHealthStore, TrialSlots {
  private readonly untold = new UntoldChanges();
  private readonly trials: SharedTrials;
  private telling = false;
  private syncing: Promise<void> | null = null;
  /** Routes whose state is younger than the answer that a running read will get. */
  private changedSinceAsked = new Set<OfferingId>();

  constructor(private readonly deps: HealthSharing) {
    this.trials = new SharedTrials(deps);
  }

  get(route: OfferingId): RouteHealth {
    return this.deps.own.get(route);
  }

  all(): ReadonlyMap<OfferingId, RouteHealth> {
    return this.deps.own.all();
  }

  set(route: OfferingId, health: RouteHealth): void {
    const { own, clock } = this.deps;
    const nowMs = clock.nowMs();
    const changes = changesBetween(own.get(route), health, nowMs);
    own.set(route, health);
    if (changes.length === 0) return;
    if (changes.some(({ kind }) => kind === 'trial_over')) this.trials.over(route);
    this.tellLater({ route, changes }, nowMs);
  }

  claim(route: OfferingId, generation: number): Promise<boolean> {
    return this.trials.claim(route, generation);
  }

  /** Tells, hears and reads what there is. For every now and then, and for a connection that has come back; never rejects. */
  sync(): Promise<void> {
    this.syncing ??= this.syncOnce().finally(() => (this.syncing = null));
    return this.syncing;
  }

  /** Tells what is still untold, if it can be; never rejects. */
  async tell(): Promise<void> {
    const { exchange, log } = this.deps;
    if (exchange.isUp) await this.tellAll().catch((error: unknown) => log.failed('tell', error));
  }

  /** Everything that one turn of the event loop changes goes into one message. */
  private tellLater(change: RouteChanges, nowMs: number): void {
    this.changedSinceAsked.add(change.route);
    this.untold.add(change, nowMs);
    if (this.telling) return;
    this.telling = true;
    setImmediate(() => {
      this.telling = false;
      void this.tell();
    });
  }

  private async syncOnce(): Promise<void> {
    const { exchange, clock, log } = this.deps;
    for (const change of this.trials.ended(clock.nowMs())) this.tellLater(change, clock.nowMs());
    if (!exchange.isUp) return;
    try {
      await exchange.listen((message) => this.hear(message));
      await this.tellAll();
      await this.read();
      await this.trials.renew();
      log.worked();
    } catch (error) {
      log.failed('sync', error);
    }
  }

  private async tellAll(): Promise<void> {
    if (this.untold.isEmpty) return;
    const batch = this.untold.take();
    try {
      await this.deps.exchange.tell(changesOf(batch, this.deps.clock.nowMs()));
    } catch (error) {
      this.untold.giveBack(batch);
      throw error;
    }
  }

  /** Absence says nothing: who has lost a message that a circuit closed finds out by a trial of his own. */
  private async read(): Promise<void> {
    this.changedSinceAsked = new Set();
    const found = await this.deps.exchange.read();
    const fresh = found.filter(({ route }) => !this.changedSinceAsked.has(route));
    for (const change of fresh) this.take(change);
  }

  private hear(message: HealthMessage | null): void {
    if (message === null) return this.deps.log.failed('hear', null);
    for (const change of message.routes) this.take(change);
  }

  private take({ route, changes }: RouteChanges): void {
    const { own, clock, breaker, knows } = this.deps;
    if (!knows(route)) return;
    this.changedSinceAsked.add(route);
    const nowMs = clock.nowMs();
    for (const change of changes) {
      if (change.kind === 'trial_over') this.trials.overElsewhere(route, nowMs);
      else own.set(route, changedElsewhere(own.get(route), change, nowMs, breaker));
    }
  }
}
