export interface Timer {
  /** Calls `onElapsed` once after `delayMs`, unless the returned function was called before. */
  start(delayMs: number, onElapsed: () => void): CancelTimer;
}

export type CancelTimer = () => void;
