import type { ClosingRecord, OpeningRecord } from '../../src/domain/audit/audit-record';
import type { Attempt, AttemptStart } from '../../src/domain/interaction/attempt';
import type { RequestId, TenantId } from '../../src/domain/kernel/ids';
import type { MicroUsd } from '../../src/domain/kernel/money';
import {
  moved,
  reservationOf,
  settlementOf,
  type Movement,
  type Owner,
} from '../../src/domain/wallet/movement';
import { raiseOf } from '../../src/domain/wallet/reservation';
import { EMPTY_WALLET, type Wallet } from '../../src/domain/wallet/wallet';
import type {
  Advance,
  InsufficientBalance,
  InteractionStore,
  Opening,
} from '../../src/usecase/port/interaction-store';
import { StoreUnavailable } from '../../src/usecase/port/store-unavailable';
import type { FakeClock } from './fake-clock';
import { InMemoryIdempotencyKeys } from './in-memory-idempotency-keys';

export type StoreOperation = 'open' | 'advance' | 'close';
/** What the store does with a write. `unavailable`: the database is gone. `defect`: a bug of ours throws something else. */
export type StoreMood = 'fine' | 'unavailable' | 'defect';

export type StoredInteraction = {
  readonly opening: OpeningRecord;
  /** Every attempt that was recorded, by its start or, once it has ended, as a whole. */
  readonly attempts: (AttemptStart | Attempt)[];
  closing: ClosingRecord | null;
  heldMicroUsd: MicroUsd | null;
};

/** Audit records in memory. What a use case must never do is remembered as a violation, and rejected. */
export class InMemoryInteractionStore implements InteractionStore {
  readonly interactions = new Map<RequestId, StoredInteraction>();
  readonly violations: string[] = [];
  /** What tenants have paid in, and where it is now. */
  readonly wallets = new Map<TenantId, Wallet>();
  /** Who holds which idempotency key. */
  readonly keys = new InMemoryIdempotencyKeys();
  /** What happens to the next writes. */
  mood: (operation: StoreOperation) => StoreMood = () => 'fine';
  /** How long a commit takes. */
  commitMs = 0;

  constructor(private readonly clock: FakeClock) {}

  async open(opening: OpeningRecord): Promise<Opening> {
    this.refuseBadMood('open');
    const { requestId, firstAttempt } = opening;
    this.forbid(this.interactions.has(requestId), `${requestId} is opened twice`);
    this.forbid(
      firstAttempt !== null && firstAttempt.number !== 1,
      `${requestId} begins with a later attempt`,
    );
    if (this.keys.isTaken(opening)) return { kind: 'idempotency_taken' };
    const refused = this.hold(
      opening,
      { number: 1, startedAtMs: opening.openedAtMs },
      opening.reservationMicroUsd,
    );
    if (refused !== null) return refused;
    this.keys.claim(opening);
    const attempts = firstAttempt === null ? [] : [firstAttempt];
    const heldMicroUsd = opening.reservationMicroUsd;
    this.interactions.set(requestId, { opening, attempts, closing: null, heldMicroUsd });
    await this.commit();
    return { kind: 'opened' };
  }

  async advance(
    requestId: RequestId,
    ended: Attempt,
    next: AttemptStart,
    reservationMicroUsd: MicroUsd | null,
  ): Promise<Advance> {
    this.refuseBadMood('advance');
    const interaction = this.opened(requestId);
    this.forbid(interaction.closing !== null, `${requestId} goes on after its end`);
    const refused = this.hold(interaction.opening, next, reservationMicroUsd);
    if (refused !== null) return refused;
    interaction.heldMicroUsd = reservationMicroUsd;
    this.end(interaction, ended);
    this.forbid(next.number !== ended.number + 1, `attempt ${next.number} follows ${ended.number}`);
    interaction.attempts.push(next);
    await this.commit();
    return { kind: 'advanced' };
  }

  async close(closing: ClosingRecord): Promise<'closed' | 'already_closed'> {
    this.refuseBadMood('close');
    const interaction = this.opened(closing.requestId);
    if (interaction.closing !== null) {
      this.violations.push(`${closing.requestId} is closed twice`);
      return 'already_closed';
    }
    if (closing.lastAttempt !== null) this.end(interaction, closing.lastAttempt);
    this.forbid(
      closing.attempts !== interaction.attempts.length,
      `${closing.requestId} closes with other attempts`,
    );
    this.settle(interaction, closing);
    interaction.closing = closing;
    this.keys.settle(closing);
    await this.commit();
    return 'closed';
  }

  /** The only interaction that there should be. */
  get only(): StoredInteraction {
    const [first, ...others] = this.interactions.values();
    if (first === undefined || others.length > 0) throw new Error('not exactly one interaction');
    return first;
  }

  get ledger(): readonly Attempt[] {
    return this.only.attempts.filter((attempt) => 'outcome' in attempt);
  }

  private hold(
    { requestId, tenant }: OpeningRecord,
    { number, startedAtMs: atMs }: Pick<AttemptStart, 'number' | 'startedAtMs'>,
    requiredMicroUsd: MicroUsd | null,
  ): InsufficientBalance | null {
    if (requiredMicroUsd === null) return null;
    const heldMicroUsd = this.interactions.get(requestId)?.heldMicroUsd ?? 0;
    const raiseMicroUsd = raiseOf(requiredMicroUsd, heldMicroUsd);
    const availableMicroUsd = this.walletOf(tenant).availableMicroUsd;
    if (raiseMicroUsd > availableMicroUsd) {
      const available = availableMicroUsd + heldMicroUsd;
      return { kind: 'insufficient_balance', requiredMicroUsd, availableMicroUsd: available };
    }
    this.move({ tenant, requestId, atMs }, (owner) => reservationOf(owner, number, raiseMicroUsd));
    return null;
  }

  private settle({ opening, heldMicroUsd }: StoredInteraction, closing: ClosingRecord): void {
    if (heldMicroUsd === null) return;
    const { requestId, closedAtMs: atMs, costMicroUsd } = closing;
    this.move({ tenant: opening.tenant, requestId, atMs }, (owner) =>
      settlementOf(owner, heldMicroUsd, costMicroUsd ?? heldMicroUsd),
    );
  }

  private move(owner: Owner, movementOf: (owner: Owner) => Movement): void {
    this.wallets.set(owner.tenant, moved(this.walletOf(owner.tenant), movementOf(owner)));
  }

  private walletOf(tenant: TenantId): Wallet {
    return this.wallets.get(tenant) ?? EMPTY_WALLET;
  }

  private end({ attempts, opening }: StoredInteraction, ended: Attempt): void {
    const last = attempts[attempts.length - 1];
    this.forbid(
      last?.number !== ended.number,
      `${opening.requestId} ends attempt ${ended.number} out of turn`,
    );
    attempts[attempts.length - 1] = ended;
  }

  private opened(requestId: RequestId): StoredInteraction {
    const interaction = this.interactions.get(requestId);
    if (interaction === undefined) throw new Error(`${requestId} was never opened`);
    return interaction;
  }

  private refuseBadMood(operation: StoreOperation): void {
    const mood = this.mood(operation);
    if (mood === 'unavailable') throw new StoreUnavailable('the database is gone');
    if (mood === 'defect') throw new Error('a bug of the store');
  }

  private forbid(happened: boolean, what: string): void {
    if (!happened) return;
    this.violations.push(what);
    throw new Error(what);
  }

  private async commit(): Promise<void> {
    if (this.commitMs > 0) await this.clock.sleep(this.commitMs, new AbortController().signal);
  }
}
