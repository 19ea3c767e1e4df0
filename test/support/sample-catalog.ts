import { buildCatalog } from '../../src/domain/catalog/catalog';
import type { Catalog, CatalogEntries } from '../../src/domain/catalog/catalog';
import type { Channel } from '../../src/domain/catalog/channel';
import type { ModelContract } from '../../src/domain/catalog/model-contract';
import type { Model } from '../../src/domain/catalog/model';
import type { Offering } from '../../src/domain/catalog/offering';
import type { Price } from '../../src/domain/catalog/price';
import type { Provider } from '../../src/domain/catalog/provider';
import type { RequestNeeds } from '../../src/domain/catalog/request-needs';
import type { Route } from '../../src/domain/catalog/route';
import type { ChatRequest } from '../../src/domain/chat/chat-request';
import type { Conditions, RouteCondition } from '../../src/domain/health/provider-health';
import { NO_FULL_GROUPS } from '../../src/domain/rate/full-groups';
import { UNRESTRICTED } from '../../src/domain/tenant/eligibility';
import type { Tenant } from '../../src/domain/tenant/tenant';

/** A contract that can do everything and knows no limit. */
export const ABLE: ModelContract = {
  contextTokens: null,
  maxOutputTokens: null,
  streaming: true,
  tools: true,
  forcedToolChoice: true,
  jsonSchema: true,
  jsonObject: true,
  vision: true,
  files: true,
  audio: true,
  multipleChoices: true,
  logprobs: true,
  legacyFunctions: true,
  prefill: true,
  midConversationSystem: true,
  sampling: 'any',
  thinking: 'none',
  effortLevels: [],
};

/** A request that asks for nothing but an answer. */
export const PLAIN_NEEDS: RequestNeeds = {
  streaming: false,
  streamUsage: false,
  tools: false,
  forcedToolChoice: false,
  jsonSchema: false,
  jsonObject: false,
  vision: false,
  files: false,
  audio: false,
  audioOutput: false,
  multipleChoices: false,
  logprobs: false,
  legacyFunctions: false,
  prefill: false,
  estimatedInputTokens: 10,
  maxOutputTokens: null,
};

export function aPrice(input: number, output: number): Price {
  return { input, output, cachedInput: null, cacheWrite: null };
}

export function aProvider(id: string): Provider {
  return { id, name: id, dataPolicy: { retentionDays: null, trainsOnData: null } };
}

export function aChannel(given: Partial<Channel> = {}): Channel {
  return {
    id: 'ch',
    provider: 'openai',
    kind: 'openai',
    baseUrl: 'http://127.0.0.1:1/v1',
    credentialRef: 'env:SAMPLE_KEY',
    region: 'us',
    group: 'default',
    priority: 0,
    enabled: true,
    options: {
      headers: {},
      organization: null,
      project: null,
      anthropicVersion: null,
      anthropicAuth: 'x-api-key',
    },
    ...given,
  };
}

export function aModel(name: string, given: Partial<Model> = {}): Model {
  return { name, aliases: [], provider: 'openai', contract: ABLE, ...given };
}

export function anOffering(given: Partial<Offering> = {}): Offering {
  return {
    id: 'off',
    channel: 'ch',
    model: 'gpt-s',
    upstreamName: 'gpt-s',
    price: aPrice(100, 400),
    contract: {},
    enabled: true,
    ...given,
  };
}

export function aRoute(given: Partial<Route> = {}): Route {
  return {
    id: 'off',
    provider: 'openai',
    channel: aChannel(),
    model: 'gpt-s',
    upstreamName: 'gpt-s',
    price: aPrice(100, 400),
    contract: ABLE,
    enabled: true,
    ...given,
  };
}

export function aTenant(given: Partial<Tenant> = {}): Tenant {
  return {
    id: 'ten_1',
    name: 'Sample',
    features: { failover: true },
    eligibility: UNRESTRICTED,
    groups: null,
    createdAtMs: 0,
    ...given,
  };
}

export function aRequest(model: string, given: Partial<ChatRequest> = {}): ChatRequest {
  return { model, stream: false, includeUsage: false, body: { model }, needs: PLAIN_NEEDS, ...given };
}

/** Conditions in which every route is enabled, and fresh but for those that are named. */
export function conditions(
  named: Readonly<Record<string, Partial<RouteCondition>>> = {},
  nowMs = 1_000_000,
): Conditions {
  return {
    nowMs,
    isEnabled: () => true,
    pricedNow: (route) => route,
    fullGroups: NO_FULL_GROUPS,
    conditionOf: (route) => ({
      route,
      circuit: { state: 'closed' },
      throttledUntilMs: null,
      latencyMs: null,
      ...named[route],
    }),
  };
}

/** Fallbacks at three providers: gpt-s (openai on two channels, azure), claude-s (anthropic), mistral-s (mistral). */
export function sampleEntries(): CatalogEntries {
  return {
    providers: ['openai', 'azure', 'anthropic', 'mistral'].map(aProvider),
    channels: [
      aChannel({ id: 'ch-oa-1', provider: 'openai', region: 'us', group: 'standard', priority: 1 }),
      aChannel({ id: 'ch-oa-2', provider: 'openai', region: 'eu', group: 'premium', priority: 2 }),
      aChannel({ id: 'ch-az', provider: 'azure', region: 'eu-central-1', group: 'standard' }),
      aChannel({ id: 'ch-an', provider: 'anthropic', kind: 'anthropic', region: 'us', group: 'standard' }),
      aChannel({ id: 'ch-mi', provider: 'mistral', region: 'eu', group: 'standard' }),
    ],
    models: [
      aModel('gpt-s', { aliases: ['small'] }),
      aModel('claude-s', { provider: 'anthropic' }),
      aModel('mistral-s', { provider: 'mistral' }),
    ],
    offerings: [
      anOffering({ id: 'oa-1', channel: 'ch-oa-1', model: 'gpt-s', price: aPrice(100, 400) }),
      anOffering({ id: 'oa-2', channel: 'ch-oa-2', model: 'gpt-s', price: aPrice(100, 400) }),
      anOffering({ id: 'az', channel: 'ch-az', model: 'gpt-s', price: aPrice(110, 440) }),
      anOffering({ id: 'an', channel: 'ch-an', model: 'claude-s', price: aPrice(300, 1_500) }),
      anOffering({ id: 'mi', channel: 'ch-mi', model: 'mistral-s', price: aPrice(50, 150) }),
    ],
  };
}

export function sampleCatalog(
  change: (entries: CatalogEntries) => CatalogEntries = (entries) => entries,
): Catalog {
  return buildCatalog(change(sampleEntries()));
}

/** Changes one offering of the sample. */
export function withOffering(entries: CatalogEntries, id: string, given: Partial<Offering>): CatalogEntries {
  return {
    ...entries,
    offerings: entries.offerings.map((offering) =>
      offering.id === id ? { ...offering, ...given } : offering,
    ),
  };
}
