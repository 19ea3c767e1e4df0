import type { ClosingRecord, OpeningRecord } from '../../../src/domain/audit/audit-record';
import type { Channel } from '../../../src/domain/catalog/channel';
import type { Model } from '../../../src/domain/catalog/model';
import type { ModelContract } from '../../../src/domain/catalog/model-contract';
import type { Offering } from '../../../src/domain/catalog/offering';
import type { Provider } from '../../../src/domain/catalog/provider';
import type { Route } from '../../../src/domain/catalog/route';
import type { Attempt, AttemptStart } from '../../../src/domain/interaction/attempt';
import { NO_USAGE, type Usage } from '../../../src/domain/interaction/usage';
import type { Fault } from '../../../src/domain/resilience/fault';
import type { Refusal } from '../../../src/domain/routing/refusal';
import type { ApiKey } from '../../../src/domain/tenant/api-key';
import { UNRESTRICTED } from '../../../src/domain/tenant/eligibility';
import type { Tenant } from '../../../src/domain/tenant/tenant';

export const CONTRACT: ModelContract = {
  contextTokens: 128_000,
  maxOutputTokens: 16_384,
  streaming: true,
  tools: true,
  forcedToolChoice: true,
  jsonSchema: true,
  jsonObject: true,
  vision: true,
  files: false,
  audio: false,
  multipleChoices: true,
  logprobs: true,
  legacyFunctions: true,
  prefill: false,
  midConversationSystem: true,
  sampling: 'any',
  thinking: 'none',
  effortLevels: [],
};

export const PROVIDER: Provider = {
  id: 'openai',
  name: 'OpenAI',
  dataPolicy: { retentionDays: 30, trainsOnData: false },
};

export const CHANNEL: Channel = {
  id: 'ch_openai_us',
  provider: 'openai',
  kind: 'openai',
  baseUrl: 'https://api.openai.example/v1',
  credentialRef: 'env:OPENAI_API_KEY',
  region: 'us',
  group: 'default',
  priority: 10,
  enabled: true,
  options: {
    headers: { 'x-team': 'gateway' },
    organization: null,
    project: 'proj_1',
    anthropicVersion: null,
    anthropicAuth: 'x-api-key',
  },
};

export const MODEL: Model = {
  name: 'gpt-4o-mini',
  aliases: ['auto'],
  provider: 'openai',
  contract: CONTRACT,
};

export const OFFERING: Offering = {
  id: 'off_openai_4o_mini',
  channel: 'ch_openai_us',
  model: 'gpt-4o-mini',
  upstreamName: 'gpt-4o-mini-2024-07-18',
  price: { input: 150_000, output: 600_000, cachedInput: 75_000, cacheWrite: null },
  contract: { vision: false },
  enabled: true,
};

export const ROUTE: Route = {
  id: OFFERING.id,
  provider: CHANNEL.provider,
  channel: CHANNEL,
  model: MODEL.name,
  upstreamName: OFFERING.upstreamName,
  price: OFFERING.price,
  contract: { ...CONTRACT, vision: false },
  enabled: true,
};

export const TENANT: Tenant = {
  id: 'ten_1',
  name: 'Acme',
  features: { failover: true },
  eligibility: UNRESTRICTED,
  groups: [
    { name: 'eu', rpm: 100 },
    { name: 'default', rpm: null },
  ],
  createdAtMs: 1_000,
  wallet: false,
};

export const API_KEY: ApiKey = {
  id: 'key_1',
  tenantId: 'ten_1',
  name: 'production',
  secretHash: 'a1'.repeat(32),
  hint: 'x9fQ',
  scopes: ['chat', 'policy:read'],
  groups: ['eu', 'default'],
  groupStrategy: 'cost',
  rpm: 60,
  createdAtMs: 1_100,
  expiresAtMs: 9_000,
  revokedAtMs: null,
};

export const REFUSAL: Refusal = {
  route: { id: 'off_eu', provider: 'mistral', channel: 'ch_eu', model: 'mistral-small' },
  detail: { reason: 'data_residency', region: 'eu', allowedRegions: ['us'] },
};

export const FIRST_ATTEMPT: AttemptStart = {
  number: 1,
  action: 'initial',
  route: ROUTE,
  startedAtMs: 10_010,
  backoffMs: 0,
  trial: false,
};

export const USAGE: Usage = {
  inputTokens: 1_200,
  cachedInputTokens: 200,
  cacheWriteTokens: null,
  cacheWrite1hTokens: null,
  outputTokens: 80,
  reasoningTokens: 0,
  source: 'provider',
  raw: { prompt_tokens: 1_200, completion_tokens: 80, prompt_tokens_details: { cached_tokens: 200 } },
};

export const FAULT: Fault = {
  class: 'server_error',
  stage: 'before_output',
  code: 'overloaded',
  status: 503,
  retryAfterMs: 2_000,
  retryable: true,
  accountEvidence: false,
  requestSent: 'yes',
  abortedBy: null,
  providerError: { message: 'prose that may quote a prompt', type: null, code: null, param: null },
  param: null,
};

export function opening(requestId: string, changes: Partial<OpeningRecord> = {}): OpeningRecord {
  return {
    requestId,
    billableId: requestId,
    reservationMicroUsd: null,
    idempotency: null,
    tenant: 'ten_1',
    apiKey: 'key_1',
    openedAtMs: 10_000,
    deadlineAtMs: 310_000,
    requestedModel: 'auto',
    stream: true,
    policy: { name: 'default', version: 3 },
    canary: false,
    planned: [
      { id: OFFERING.id, provider: 'openai', model: 'gpt-4o-mini' },
      { id: 'off_haiku', provider: 'anthropic', model: 'claude-haiku-4-5' },
    ],
    refusals: [REFUSAL],
    service: 'checkout',
    feature: 'summary',
    parentRequestId: 'req_parent',
    clientRetryCount: 1,
    firstAttempt: FIRST_ATTEMPT,
    ...changes,
  };
}

export function failedAttempt(start: AttemptStart = FIRST_ATTEMPT): Attempt {
  return {
    ...start,
    headersAtMs: 10_050,
    firstOutputAtMs: null,
    endedAtMs: 10_060,
    status: 503,
    upstreamRequestId: 'up-1',
    outcome: { kind: 'failed', fault: FAULT },
    usage: NO_USAGE,
    costPico: 0,
    ignoredParams: [],
  };
}

export function servedAttempt(start: AttemptStart = FIRST_ATTEMPT): Attempt {
  return {
    ...start,
    headersAtMs: 11_100,
    firstOutputAtMs: 11_200,
    endedAtMs: 11_900,
    status: 200,
    upstreamRequestId: 'up-2',
    outcome: { kind: 'served', finishReason: 'stop' },
    usage: USAGE,
    costPico: 213_000_001,
    ignoredParams: ['logit_bias'],
  };
}

export function closing(requestId: string, changes: Partial<ClosingRecord> = {}): ClosingRecord {
  return {
    requestId,
    state: 'served',
    closedAtMs: 12_000,
    errorCode: null,
    served: {
      route: OFFERING.id,
      provider: 'openai',
      model: 'gpt-4o-mini',
      upstreamName: 'gpt-4o-mini-2024-07-18',
    },
    fallbackReason: null,
    refusals: [REFUSAL],
    attempts: 1,
    usage: USAGE,
    costMicroUsd: 214,
    lastAttempt: servedAttempt(),
    ...changes,
  };
}
