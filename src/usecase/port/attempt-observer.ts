import type { Attempt } from '../../domain/interaction/attempt';

/** Is told of every attempt that has ended, once. */
export interface AttemptObserver {
  observe(attempt: Attempt): void;
}
