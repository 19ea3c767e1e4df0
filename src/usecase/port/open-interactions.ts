import type { RequestId } from '../../domain/kernel/ids';
import type { MicroUsd, PicoUsd } from '../../domain/kernel/money';
import type { InputEstimate } from '../../domain/interaction/attempt';
import type { Usage } from '../../domain/interaction/usage';
import type { Refusal } from '../../domain/routing/refusal';

/** Finds interactions that nobody closed, e.g. because their process was killed. */
export interface OpenInteractions {
  /**
   * Interactions that are open and whose deadline was before `deadlineBeforeMs`, longest overdue first, at most
   * `limit` (1 to 500). Rejects with `StoreUnavailable`.
   */
  findOpenBefore(deadlineBeforeMs: number, limit: number): Promise<readonly OpenInteraction[]>;
}

/** What the store knows of an interaction that is still open. */
export type OpenInteraction = Readonly<{
  requestId: RequestId;
  deadlineAtMs: number;
  /** Held of the tenant's wallet; null: nothing. */
  reservationMicroUsd: MicroUsd | null;
  /** The refusals of its opening row. */
  refusals: readonly Refusal[];
  /** By number. */
  attempts: readonly RecordedAttempt[];
}>;

export type RecordedAttempt = Readonly<{
  number: number;
  /** `running`: its end was never recorded, so what it used and cost is unknown. */
  progress: 'running' | 'ended';
  usage: Usage;
  /** Null: unknown. */
  costPico: PicoUsd | null;
  /** Of a running one of a tenant with a wallet: what it is charged. */
  inputEstimate: InputEstimate | null;
}>;
