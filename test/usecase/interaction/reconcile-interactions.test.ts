import type { ClosingRecord } from '../../../src/domain/audit/audit-record';
import { NO_USAGE } from '../../../src/domain/interaction/usage';
import { ReconcileInteractions } from '../../../src/usecase/interaction/reconcile-interactions';
import type { InteractionStore } from '../../../src/usecase/port/interaction-store';
import type { OpenInteraction, OpenInteractions } from '../../../src/usecase/port/open-interactions';

/** Open interactions in memory; closing one takes it away, as a store does. */
class OpenInteractionsInMemory implements OpenInteractions, Pick<InteractionStore, 'close'> {
  readonly closings: ClosingRecord[] = [];
  readonly askedFor: number[] = [];

  constructor(private readonly open: Map<string, OpenInteraction>) {}

  findOpenBefore(deadlineBeforeMs: number, limit: number): Promise<readonly OpenInteraction[]> {
    this.askedFor.push(limit);
    const overdue = [...this.open.values()].filter((each) => each.deadlineAtMs < deadlineBeforeMs);
    return Promise.resolve(overdue.slice(0, limit));
  }

  close(closing: ClosingRecord): Promise<'closed' | 'already_closed'> {
    if (!this.open.delete(closing.requestId)) return Promise.resolve('already_closed');
    this.closings.push(closing);
    return Promise.resolve('closed');
  }
}

function openUntil(deadlines: Readonly<Record<string, number>>): OpenInteractionsInMemory {
  const entries = Object.entries(deadlines).map(([requestId, deadlineAtMs]): [string, OpenInteraction] => [
    requestId,
    {
      requestId,
      deadlineAtMs,
      reservationMicroUsd: null,
      refusals: [],
      attempts: [{ number: 1, progress: 'running', usage: NO_USAGE, costPico: null, inputEstimate: null }],
    },
  ]);
  return new OpenInteractionsInMemory(new Map(entries));
}

function reconcile(
  store: OpenInteractionsInMemory,
  nowMs: number,
  close: InteractionStore['close'] = (closing) => store.close(closing),
): Promise<number> {
  const unused = (): Promise<never> => Promise.reject(new Error('reconciliation only closes'));
  return new ReconcileInteractions({
    openInteractions: store,
    interactions: { open: unused, advance: unused, close },
    clock: { nowMs: () => nowMs },
  }).execute();
}

describe('reconciliation', () => {
  it('closes an interaction as interrupted, with its attempts counted', async () => {
    const store = openUntil({ req_1: 300_000 });

    expect(await reconcile(store, 400_000)).toBe(1);

    expect(store.closings).toMatchObject([
      { requestId: 'req_1', state: 'interrupted', closedAtMs: 400_000, attempts: 1, costMicroUsd: null },
    ]);
  });

  it.each([
    ['at the end of the grace', 360_000, 0],
    ['a millisecond after it', 360_001, 1],
  ])('leaves a running interaction alone for a minute after its deadline: %s', async (_, nowMs, closed) => {
    expect(await reconcile(openUntil({ req_1: 300_000 }), nowMs)).toBe(closed);
  });

  it('closes nothing the second time', async () => {
    const store = openUntil({ req_1: 1, req_2: 2 });

    expect([await reconcile(store, 400_000), await reconcile(store, 400_000)]).toEqual([2, 0]);
  });

  it('works through what a crash under load left, a bounded number at a time', async () => {
    const store = openUntil(
      Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`req_${index}`, index])),
    );

    expect(await reconcile(store, 400_000)).toBe(250);

    expect(store.closings).toHaveLength(250);
    expect(store.askedFor).toEqual([100, 100, 100]);
  });

  it('does not count what somebody else closed meanwhile', async () => {
    const store = openUntil({ req_1: 1, req_2: 2 });

    const closed = await reconcile(store, 400_000, async (closing) => {
      const outcome = await store.close(closing);
      return closing.requestId === 'req_1' ? 'already_closed' : outcome;
    });

    expect(closed).toBe(1);
  });

  it('says so when the store is gone', async () => {
    const store = openUntil({ req_1: 1 });

    const reconciled = reconcile(store, 400_000, () => Promise.reject(new Error('gone')));

    await expect(reconciled).rejects.toThrow('gone');
  });
});
