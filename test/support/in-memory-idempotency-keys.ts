import type { ClosingRecord, OpeningRecord } from '../../src/domain/audit/audit-record';
import type { TenantId } from '../../src/domain/kernel/ids';
import type { IdempotencyKeys, KeptHolder } from '../../src/usecase/port/idempotency-keys';
import { StoreUnavailable } from '../../src/usecase/port/store-unavailable';

type Held = Readonly<{ place: string; holder: KeptHolder }>;

/** Idempotency keys in memory, claimed and settled with the records of their interactions. */
export class InMemoryIdempotencyKeys implements IdempotencyKeys {
  mood: 'fine' | 'unavailable' = 'fine';
  private held: readonly Held[] = [];

  async holderOf(tenant: TenantId, keyHash: string): Promise<KeptHolder | null> {
    if (this.mood === 'unavailable') throw new StoreUnavailable('the database is gone');
    return this.at(placeOf(tenant, keyHash));
  }

  async purge(claimedUntilMs: number, limit: number): Promise<number> {
    const isOld = ({ holder }: Held): boolean =>
      holder.state !== 'open' && holder.claimedAtMs <= claimedUntilMs;
    const old = this.held.filter(isOld).slice(0, limit);
    this.held = this.held.filter((one) => !old.includes(one));
    return old.length;
  }

  isTaken({ tenant, idempotency }: OpeningRecord): boolean {
    if (idempotency === null) return false;
    const holder = this.at(placeOf(tenant, idempotency.keyHash));
    return holder !== null && holder.requestId !== idempotency.supersedes;
  }

  claim({ tenant, idempotency, requestId, billableId, openedAtMs }: OpeningRecord): void {
    if (idempotency === null) return;
    const place = placeOf(tenant, idempotency.keyHash);
    const { bodyHash } = idempotency;
    const holder = {
      requestId,
      billableId,
      bodyHash,
      claimedAtMs: openedAtMs,
      state: 'open' as const,
      answer: null,
    };
    this.held = [...this.held.filter((one) => one.place !== place), { place, holder }];
  }

  settle({ requestId, state, sealedAnswer }: ClosingRecord): void {
    const answer = sealedAnswer ?? null;
    this.held = this.held.map((one) =>
      one.holder.requestId === requestId ? { ...one, holder: { ...one.holder, state, answer } } : one,
    );
  }

  private at(place: string): KeptHolder | null {
    return this.held.find((one) => one.place === place)?.holder ?? null;
  }
}

function placeOf(tenant: TenantId, keyHash: string): string {
  return JSON.stringify([tenant, keyHash]);
}
