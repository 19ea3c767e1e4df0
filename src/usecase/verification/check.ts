import type { ModelContract } from '../../domain/catalog/model-contract';
import type { CheckName, CheckResult } from '../../domain/catalog/offering-checks';
import type { AdapterKind } from '../../domain/catalog/channel';
import type { Usage } from '../../domain/interaction/usage';
import type { JsonObject } from '../../domain/kernel/json';
import type { Fault } from '../../domain/resilience/fault';

/** One upstream call of a check, as it ended. */
export type CheckCall =
  | Readonly<{ kind: 'answered'; status: number; answer: SpokenAnswer }>
  | Readonly<{ kind: 'failed'; status: number | null; fault: Fault }>;

/** What of an answer a check looks at; it is judged and dropped. */
export type SpokenAnswer = Readonly<{
  text: string;
  toolCalls: readonly JsonObject[];
  finishReason: string;
  /** As the provider named it; null: it named none. */
  model: string | null;
  usage: Usage;
}>;

/** The offering under check. */
export type Subject = Readonly<{
  kind: AdapterKind;
  /** Under each of them it may answer. */
  names: readonly string[];
}>;

/** Makes the calls of the checks of one offering. */
export interface Asking {
  /** Asks with room for `maxTokens` of output. */
  ask(body: JsonObject, maxTokens?: number): Promise<CheckCall>;
  /** Sends a body as it is, under another upstream name if one is given. */
  send(body: JsonObject, upstreamName?: string): Promise<CheckCall>;
}

export type Finding = Omit<CheckResult, 'atMs'>;

/** What one call, or two that belong together, tell of an offering. */
export type Check = Readonly<{
  names: readonly CheckName[];
  /** What the catalog denies is not asked for. */
  isOffered: (contract: ModelContract) => boolean;
  run: (subject: Subject, asking: Asking) => Promise<readonly Finding[]>;
}>;
