import { PurgeAudit } from '../../../src/usecase/audit/purge-audit';
import type { AuditRetention, PurgeOrder } from '../../../src/usecase/port/audit-retention';

const DAY_MS = 86_400_000;

/** Chains by the number of entries that are left to purge. */
class CountingRetention implements AuditRetention {
  readonly orders: PurgeOrder[] = [];
  constructor(private readonly left: Map<string, number>) {}

  async candidates(): Promise<readonly string[]> {
    return [...this.left.keys()];
  }

  async purge(writer: string, order: PurgeOrder): Promise<number> {
    this.orders.push(order);
    const now = Math.min(order.limit, this.left.get(writer) ?? 0);
    this.left.set(writer, (this.left.get(writer) ?? 0) - now);
    return now;
  }
}

describe('purging the audit log', () => {
  const purging = (retention: AuditRetention, slept: 'woke' | 'aborted' = 'woke') =>
    new PurgeAudit({
      retention,
      clock: { nowMs: () => 100 * DAY_MS + 12_345 },
      sleeper: { sleep: async () => slept },
      shutdown: new AbortController().signal,
    });

  it('goes on until no chain has anything old enough, in whole days', async () => {
    const retention = new CountingRetention(
      new Map([
        ['a', 1_200],
        ['b', 0],
        ['c', 3],
      ]),
    );

    const passed = await purging(retention).execute(90);

    expect(passed).toBe(1_203);
    expect(retention.orders[0]).toEqual({
      closedBeforeMs: 10 * DAY_MS,
      limit: 500,
      rule: 'retention 90 days',
    });
  });

  it('stops between two transactions when the gateway stops', async () => {
    const retention = new CountingRetention(new Map([['a', 1_200]]));

    expect(await purging(retention, 'aborted').execute(90)).toBe(500);
    expect(retention.orders).toHaveLength(1);
  });
});
