import { indexPolicies } from '../../src/domain/routing/match-policy';
import { buildCatalog } from '../../src/domain/catalog/catalog';
import type { Catalog, CatalogEntries } from '../../src/domain/catalog/catalog';
import type { RequestNeeds } from '../../src/domain/catalog/request-needs';
import type { ChatRequest } from '../../src/domain/chat/chat-request';
import { DEFAULT_BREAKER } from '../../src/domain/health/circuit-breaker';
import type { OfferingId } from '../../src/domain/kernel/ids';
import type { RoutingPolicyInput } from '../../src/domain/routing/routing-policy';
import type { StrategyName } from '../../src/domain/routing/strategy-name';
import { UNRESTRICTED } from '../../src/domain/tenant/eligibility';
import type { Eligibility } from '../../src/domain/tenant/eligibility';
import type { ApiKey } from '../../src/domain/tenant/api-key';
import type { Tenant } from '../../src/domain/tenant/tenant';
import type { AdmittedChat, CallerOptions } from '../../src/usecase/chat/admitted-chat';
import { AttemptRunner } from '../../src/usecase/chat/attempt-runner';
import { CompleteChat } from '../../src/usecase/chat/complete-chat';
import { OwnTrials } from '../../src/infra/health/own-trials';
import type { TrialSlots } from '../../src/usecase/port/trial-slots';
import { IdempotencyCheck } from '../../src/usecase/chat/idempotency-check';
import { RoutePermits } from '../../src/usecase/chat/route-permits';
import type { CanaryRef } from '../../src/usecase/port/canary-observer';
import type { Configuration } from '../../src/usecase/port/configuration';
import type { KeyUseOutcome } from '../../src/usecase/port/key-use-observer';
import { FakeClock } from './fake-clock';
import { InMemoryInteractionStore } from './in-memory-interaction-store';
import { InMemoryRequestRates } from './in-memory-request-rates';
import { InMemoryRouteHealth } from './in-memory-route-health';
import { PlainIdempotencySecrets } from './plain-idempotency-secrets';
import { RecordingIncidents } from './recording-incidents';
import { RecordingReply } from './recording-reply';
import type { DrainMs } from './recording-reply';
import { aRequest, aTenant, PLAIN_NEEDS, sampleEntries } from './sample-catalog';
import { CLAUDE, GPT } from './sample-plan';
import { aVersion } from './sample-policy';
import { byRoute } from './scripted-behaviours';
import type { Script } from './scripted-behaviours';
import { ScriptedProvider } from './scripted-provider';

/** CASES, policy P: gpt-s at openai, and claude-s at anthropic if that fails. */
export const POLICY_P: RoutingPolicyInput = { match: ['*'], primary: GPT, fallbacks: [CLAUDE] };

const KEY: ApiKey = {
  id: 'key_1',
  tenantId: 'ten_1',
  name: 'app',
  secretHash: 'hash',
  hint: 'ab12',
  scopes: ['chat'],
  groups: [],
  groupStrategy: null,
  rpm: null,
  createdAtMs: 0,
  expiresAtMs: null,
  revokedAtMs: null,
};

const PLAIN_OPTIONS: CallerOptions = {
  timeoutMs: null,
  forbidsReplay: false,
  idempotencyKey: null,
  service: null,
  feature: null,
  parentRequestId: null,
  clientRetryCount: null,
};

/** At worst 10 input and 20 output tokens. */
const BOUNDED: RequestNeeds = { ...PLAIN_NEEDS, maxOutputTokens: 20 };

export type BenchInput = Readonly<{
  /** What each route does; only routes that are named here are offered. */
  script: Script;
  /** Null: the tenant has no policy. Absent: P. */
  policy?: RoutingPolicyInput | null;
  /** What is registered. Absent: the sample. */
  entries?: CatalogEntries;
  maxDeadlineMs?: number;
  draw?: () => number;
  /** Absent: those of this process alone. */
  trials?: TrialSlots;
}>;

export type ChatInput = Readonly<{
  request?: Partial<ChatRequest>;
  options?: Partial<CallerOptions>;
  drainMs?: DrainMs;
  /** The caller is gone before anything happens. */
  hasLeft?: true;
  failover?: boolean;
  eligibility?: Eligibility;
  /** The tenant pays from its wallet, with a request whose output is bounded. */
  wallet?: true;
  /** Channel groups of the caller's key. Absent: every group. */
  keyGroups?: readonly string[];
  /** The caller's key is a smart one. */
  groupStrategy?: StrategyName | null;
  /** Channel groups of the tenant. Absent: every group, unlimited. */
  groups?: Tenant['groups'];
}>;

/** The real use case around fakes of all its ports, in virtual time. */
export class ChatBench {
  readonly clock = new FakeClock();
  readonly store = new InMemoryInteractionStore(this.clock);
  readonly health = new InMemoryRouteHealth();
  readonly rates = new InMemoryRequestRates(this.clock);
  readonly incidents = new RecordingIncidents();
  readonly shutdown = new AbortController();
  /** What was told of requests that were drawn for a canary. */
  readonly canaries: (CanaryRef & Readonly<{ outcome: 'served' | 'failed' }>)[] = [];
  readonly secrets = new PlainIdempotencySecrets();
  /** What became of requests with an idempotency key. */
  readonly keyUses: KeyUseOutcome[] = [];
  /** Offerings that an operator has switched off meanwhile. */
  readonly switchedOff = new Set<OfferingId>();
  readonly provider: ScriptedProvider;
  readonly permits: RoutePermits;
  readonly configuration: Configuration;
  private readonly completeChat: CompleteChat;
  private requests = 0;

  constructor(input: BenchInput) {
    const { clock, health, incidents } = this;
    const shutdown = this.shutdown.signal;
    this.provider = new ScriptedProvider(clock, byRoute(input.script));
    const configuration = configurationOf(input, this.switchedOff);
    this.configuration = configuration;
    this.permits = new RoutePermits({
      configuration,
      health,
      trials: input.trials ?? new OwnTrials(),
      incidents,
      clock,
      breaker: DEFAULT_BREAKER,
    });
    this.completeChat = new CompleteChat({
      configuration,
      interactions: this.store,
      attempts: new AttemptRunner({ providers: this.provider, clock, timer: clock, incidents, shutdown }),
      permits: this.permits,
      rates: this.rates,
      canaries: { observe: (canary, outcome) => this.canaries.push({ ...canary, outcome }) },
      idempotency: new IdempotencyCheck({
        keys: this.store.keys,
        secrets: this.secrets,
        observer: { observe: (outcome) => this.keyUses.push(outcome) },
        incidents,
        clock,
      }),
      incidents,
      clock,
      random: { unit: input.draw ?? (() => 0.5) },
      sleeper: clock,
      shutdown,
      maxDeadlineMs: input.maxDeadlineMs ?? 600_000,
    });
  }

  /** Starts an interaction; time still stands. */
  begin(input: ChatInput = {}): Readonly<{ id: string; reply: RecordingReply; done: Promise<void> }> {
    this.requests += 1;
    const reply = new RecordingReply(this.clock, input.drainMs);
    if (input.hasLeft) reply.leave();
    const chat: AdmittedChat = {
      requestId: `req_${this.requests}`,
      tenant: aTenant({
        features: { failover: input.failover ?? true },
        eligibility: input.eligibility ?? UNRESTRICTED,
        wallet: input.wallet ?? false,
        groups: input.groups ?? null,
      }),
      key: { ...KEY, groups: input.keyGroups ?? [], groupStrategy: input.groupStrategy ?? null },
      request: aRequest('gpt-s', { ...(input.wallet ? { needs: BOUNDED } : {}), ...input.request }),
      receivedAtMs: this.clock.nowMs(),
      options: { ...PLAIN_OPTIONS, ...input.options },
    };
    return { id: chat.requestId, reply, done: this.completeChat.execute(chat, reply) };
  }

  /** Runs one interaction to its end. */
  async complete(input: ChatInput = {}): Promise<RecordingReply> {
    const { reply, done } = this.begin(input);
    await this.clock.run();
    await done;
    return reply;
  }

  /** Runs one streamed interaction to its end. */
  stream(input: ChatInput = {}): Promise<RecordingReply> {
    return this.complete({ ...input, request: { stream: true, ...input.request } });
  }

  /** The state of a route's circuit, and whether a trial holds its slot. */
  circuitOf(route: OfferingId): Readonly<{ state: string; trialSinceMs?: number | null }> {
    return this.health.get(route).breaker;
  }
}

function configurationOf(
  { script, policy, entries = sampleEntries() }: BenchInput,
  switchedOff: ReadonlySet<OfferingId>,
): Configuration {
  const offerings = entries.offerings.filter(({ id }) => id in script);
  const catalog = buildCatalog({ ...entries, offerings });
  const without = (off: ReadonlySet<OfferingId>): Catalog =>
    buildCatalog({ ...entries, offerings: offerings.map((one) => ({ ...one, enabled: !off.has(one.id) })) });
  const versions = policy === null ? [] : [aVersion(policy ?? POLICY_P, { version: 7 })];
  return {
    catalog: () => (switchedOff.size === 0 ? catalog : without(switchedOff)),
    tenant: () => undefined,
    tenants: () => [],
    keyByHash: () => undefined,
    keysOf: () => [],
    policiesOf: () => new Map(versions.map((version) => [version.name, version])),
    policyIndexOf: () => indexPolicies(versions),
  };
}
