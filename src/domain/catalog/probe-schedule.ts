/** `models`: list the channel's models, which costs nothing. `completion`: one output token of its cheapest model. */
export const PROBE_KINDS = ['models', 'completion'] as const;
export type ProbeKind = (typeof PROBE_KINDS)[number];

/** How an operator has a channel probed (DESIGN §6). */
export type ProbeSchedule = Readonly<{
  kind: ProbeKind;
  /** From the start of one probe to the start of the next, milliseconds. */
  intervalMs: number;
}>;

/** More often than every five seconds is load, less often than daily tells nothing; milliseconds. */
export const PROBE_INTERVAL_MS = { min: 5_000, max: 86_400_000 } as const;
