import type { Draws } from '../support/money/draws';

/** Something that happens to the gateways, or to what they need. */
export type Blow = Readonly<{ atMs: number }> &
  (
    | Readonly<{ kind: 'kill'; gateway: number }>
    | Readonly<{ kind: 'store_away'; forMs: number }>
    | Readonly<{ kind: 'redis_away'; forMs: number }>
    /** The provider says that our account is at fault, which opens all of its routes for a minute. */
    | Readonly<{ kind: 'account_fault' }>
  );

/** More than ten in three minutes. */
const KILL_EVERY_MS = 12_000;
/** DESIGN §12, "store gone for a while"; a run of less than three minutes can't do without it for so long. */
const OUTAGE_MS = 30_000;
const OUTAGE_SHARE = 1 / 6;

/** What happens in a run of so many milliseconds, in order of time. */
export function blowsOf(durationMs: number, gateways: number, draws: Draws): readonly Blow[] {
  const at = (percent: number): number =>
    Math.round((durationMs * (percent * 10 + draws.between(-20, 20))) / 1_000);
  const shortly = (): number => draws.between(500, 3_000);
  const blows: Blow[] = [
    { atMs: at(10), kind: 'redis_away', forMs: shortly() },
    { atMs: at(18), kind: 'store_away', forMs: shortly() },
    { atMs: at(44), kind: 'store_away', forMs: Math.min(OUTAGE_MS, Math.round(durationMs * OUTAGE_SHARE)) },
    // While the store is away as well.
    { atMs: at(52), kind: 'redis_away', forMs: shortly() },
    { atMs: at(66), kind: 'account_fault' },
    { atMs: at(75), kind: 'redis_away', forMs: shortly() },
    { atMs: at(84), kind: 'store_away', forMs: shortly() },
  ];
  for (let slotMs = KILL_EVERY_MS / 2; slotMs < durationMs; slotMs += KILL_EVERY_MS) {
    const atMs = slotMs + draws.between(-KILL_EVERY_MS / 3, KILL_EVERY_MS / 3);
    blows.push({ atMs, kind: 'kill', gateway: draws.between(0, gateways - 1) });
  }
  return blows.sort((one, other) => one.atMs - other.atMs);
}
