/** Successes and failures of the recent past, in buckets of time: what it remembers is bounded, however busy the route. */
export type OutcomeWindow = readonly Bucket[];

/** What happened in one slice of time; `slot` is the number of that slice since the epoch. */
export type Bucket = Readonly<{ slot: number; successes: number; failures: number }>;

export type WindowSettings = Readonly<{
  /** How far back outcomes count, milliseconds. */
  windowMs: number;
  /** Length of one bucket, milliseconds; outcomes leave the window a whole bucket at a time. */
  bucketMs: number;
}>;

export type OutcomeCounts = Readonly<{ successes: number; failures: number }>;

export const EMPTY_WINDOW: OutcomeWindow = [];

/** Adds outcomes at `nowMs` and forgets the buckets that have left the window. A clock that went back adds to the last bucket. */
export function recordOutcome(
  window: OutcomeWindow,
  counts: OutcomeCounts,
  nowMs: number,
  settings: WindowSettings,
): OutcomeWindow {
  const last = window[window.length - 1];
  const slot = Math.max(slotOf(nowMs, settings), last?.slot ?? -Infinity);
  const kept = within(window, slot, settings).filter((bucket) => bucket.slot !== slot);
  const present = last?.slot === slot ? last : { successes: 0, failures: 0 };
  return [
    ...kept,
    { slot, successes: present.successes + counts.successes, failures: present.failures + counts.failures },
  ];
}

/** The sums of what is still in the window at `nowMs`. */
export function countOutcomes(window: OutcomeWindow, nowMs: number, settings: WindowSettings): OutcomeCounts {
  let successes = 0;
  let failures = 0;
  for (const bucket of within(window, slotOf(nowMs, settings), settings)) {
    successes += bucket.successes;
    failures += bucket.failures;
  }
  return { successes, failures };
}

function slotOf(nowMs: number, settings: WindowSettings): number {
  return Math.floor(nowMs / settings.bucketMs);
}

function within(window: OutcomeWindow, slot: number, settings: WindowSettings): OutcomeWindow {
  const slots = Math.ceil(settings.windowMs / settings.bucketMs);
  return window.filter((bucket) => bucket.slot > slot - slots);
}
