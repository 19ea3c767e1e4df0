import type { ClosingRecord } from '../../../src/domain/audit/audit-record';
import { NO_USAGE } from '../../../src/domain/interaction/usage';
import { interruptedClosing } from '../../../src/usecase/interaction/interrupted-closing';
import { ReconcileInteractions } from '../../../src/usecase/interaction/reconcile-interactions';
import type { InteractionStore } from '../../../src/usecase/port/interaction-store';
import type { OpenInteraction, OpenInteractions } from '../../../src/usecase/port/open-interactions';

const SPOOLED: OpenInteraction = {
  requestId: 'req_spooled',
  deadlineAtMs: 1,
  reservationMicroUsd: null,
  refusals: [],
  attempts: [],
};

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
    spooled: { writeAll: () => Promise.resolve() },
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

  describe('beside closing records that were kept on disk', () => {
    const unused = (): Promise<never> => Promise.reject(new Error('reconciliation only closes'));
    const reconciliation = (store: OpenInteractionsInMemory, writeAll: () => Promise<void>) =>
      new ReconcileInteractions({
        spooled: { writeAll },
        openInteractions: store,
        interactions: { open: unused, advance: unused, close: (closing) => store.close(closing) },
        clock: { nowMs: () => 400_000 },
      });

    it('lets them be written first', async () => {
      const store = openUntil({ req_spooled: 1, req_crashed: 2 });
      const spooled = { ...interruptedClosing(SPOOLED, 300_000), state: 'served' as const };

      const closed = await reconciliation(store, async () => void (await store.close(spooled))).execute();

      expect(closed).toBe(1);
      expect(store.closings).toMatchObject([
        { requestId: 'req_spooled', state: 'served' },
        { requestId: 'req_crashed', state: 'interrupted' },
      ]);
    });

    it('closes nothing while they cannot be written', async () => {
      const store = openUntil({ req_spooled: 1 });

      const reconciled = reconciliation(store, () => Promise.reject(new Error('away'))).execute();

      await expect(reconciled).rejects.toThrow('away');
      expect(store.closings).toEqual([]);
    });

    it('leaves other processes a run to write theirs, once the store is back', async () => {
      const store = openUntil({ req_1: 1 });
      let away = true;
      const reconcileAgain = reconciliation(store, () =>
        away ? Promise.reject(new Error('away')) : Promise.resolve(),
      );
      await expect(reconcileAgain.execute()).rejects.toThrow('away');
      away = false;

      expect([await reconcileAgain.execute(), await reconcileAgain.execute()]).toEqual([0, 1]);
    });
  });
});
