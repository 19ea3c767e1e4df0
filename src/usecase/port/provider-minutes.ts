import type { ProviderMinute } from '../../domain/health/observed-success';

/** How providers fared, minute by minute, as all processes saw it together. */
export interface ProviderMinutes {
  /** Adds to what is stored of these minutes, and forgets those that began before `forgetBeforeMs`: all or nothing. */
  add(minutes: readonly ProviderMinute[], forgetBeforeMs: number): Promise<void>;
  /** Those that began at `fromMs` or later, in no order. */
  since(fromMs: number): Promise<readonly ProviderMinute[]>;
}
