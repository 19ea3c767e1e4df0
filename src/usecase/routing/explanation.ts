import type { ChatRequest } from '../../domain/chat/chat-request';
import type { SupposedHealth } from '../../domain/health/supposed-health';
import type { ChannelId, OfferingId, ProviderId, TenantId } from '../../domain/kernel/ids';
import type { MicroUsd } from '../../domain/kernel/money';
import type { FaultCourse } from '../../domain/resilience/fault-course';
import type { NextAction } from '../../domain/resilience/next-action';
import type { WorstCase } from '../../domain/resilience/worst-case';
import type { Plan } from '../../domain/routing/plan';
import type { StrategyName } from '../../domain/routing/strategy-name';
import type { CatalogCheck } from '../../domain/routing/policy-against-catalog';
import type { RoutingPolicyInput } from '../../domain/routing/routing-policy';

/** What somebody wants to know before it happens. */
export type Question = Readonly<{
  tenant: TenantId;
  /** Name of the policy that is asked about; whether it answers for the request is a part of the explanation. */
  policy: string;
  request: ChatRequest;
  /** Channel groups of the key that would be used, in order of preference; empty: every group. */
  keyGroups: readonly string[];
  /** As a smart key would; null: as an ordinary one. */
  groupStrategy: StrategyName | null;
  supposing: Suppositions;
  /** In place of the stored version; null: the stored one. */
  draft: RoutingPolicyInput | null;
  /** Of a policy with a canary: as the requests that it draws, or as all others. */
  side: 'ordinary' | 'canary';
}>;

/** What is supposed of the health of routes, beyond what was observed. The narrower one holds. */
export type Suppositions = Readonly<{
  providers: ReadonlyMap<ProviderId, SupposedHealth>;
  channels: ReadonlyMap<ChannelId, SupposedHealth>;
  offerings: ReadonlyMap<OfferingId, SupposedHealth>;
}>;

export const NOTHING_SUPPOSED: Suppositions = {
  providers: new Map(),
  channels: new Map(),
  offerings: new Map(),
};

/** What would happen, and why. */
export type Explanation = Readonly<{
  request: ChatRequest;
  plan: Plan;
  /** The plan was made by the draft. */
  byDraft: boolean;
  /** What a write of the draft would meet today; null: there is no draft. */
  draftCheck: CatalogCheck | null;
  /** The first attempt, or why there would be none; with every refusal. */
  first: NextAction;
  faults: readonly FaultCourse[];
  worstCase: WorstCase;
  /** What a wallet would have to hold before the first attempt; null: there is none, or nothing bounds its cost. */
  reservationMicroUsd: MicroUsd | null;
}>;
