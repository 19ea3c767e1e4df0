export interface Sleeper {
  /** Waits; a delay of 0 or less returns at once. An abort ends the wait early, and nothing may be sent after it. */
  sleep(delayMs: number, abort: AbortSignal): Promise<'woke' | 'aborted'>;
}
