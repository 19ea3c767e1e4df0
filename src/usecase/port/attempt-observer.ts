import type { Attempt } from '../../domain/interaction/attempt';
import type { RequestId } from '../../domain/kernel/ids';

/** Is told of every attempt that has ended, once. */
export interface AttemptObserver {
  observe(attempt: Attempt, requestId: RequestId): void;
}
