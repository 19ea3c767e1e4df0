import { Type } from 'class-transformer';
import { IsIn, IsString, MaxLength } from 'class-validator';
import { ATTEMPT_ACTIONS, type AttemptAction } from '../../../../domain/interaction/attempt';
import { INTERACTION_STATES, type InteractionState } from '../../../../domain/interaction/interaction';
import { FAULT_CLASSES, type FaultClass } from '../../../../domain/resilience/fault';
import type { AuditFilter } from '../../../../usecase/port/audit-log';
import { OptionalField, WholeNumber } from '../field-rules';
import { Moment, momentOf } from '../moment';

type Flag = 'true' | 'false';

/** What lists and exports of audit records can be narrowed by, as it stands in a query. */
export type AuditFilterQuery = Readonly<{
  from?: string;
  to?: string;
  tenant?: string;
  state?: InteractionState;
  model?: string;
  requested_model?: string;
  provider?: string;
  offering?: string;
  channel?: string;
  fallback?: Flag;
  fault?: FaultClass;
  action?: AttemptAction;
  error_code?: string;
  policy?: string;
  min_cost_micro_usd?: number;
  stream?: Flag;
  parent_request_id?: string;
  key?: string;
  service?: string;
  feature?: string;
}>;

const FIELDS: Readonly<Record<keyof AuditFilterQuery, readonly PropertyDecorator[]>> = {
  from: [Moment()],
  to: [Moment()],
  tenant: shortText(),
  state: [IsIn(INTERACTION_STATES)],
  model: shortText(),
  requested_model: shortText(),
  provider: shortText(),
  offering: shortText(),
  channel: shortText(),
  fallback: [IsIn(['true', 'false'])],
  fault: [IsIn(FAULT_CLASSES)],
  action: [IsIn(ATTEMPT_ACTIONS)],
  error_code: shortText(),
  policy: shortText(),
  min_cost_micro_usd: [WholeNumber(0, Number.MAX_SAFE_INTEGER), Type(() => Number)],
  stream: [IsIn(['true', 'false'])],
  parent_request_id: shortText(),
  key: shortText(),
  service: shortText(),
  feature: shortText(),
};

/** Gives a DTO these fields; each is optional. Several DTOs share them, and none inherits. */
export function AuditFilterFields(): ClassDecorator {
  return (dto) => {
    for (const [field, rules] of Object.entries(FIELDS)) {
      const target = dto.prototype as object;
      for (const rule of [OptionalField(), ...rules]) rule(target, field);
    }
  };
}

function shortText(): readonly PropertyDecorator[] {
  return [IsString(), MaxLength(200)];
}

export function filterOf(query: AuditFilterQuery): AuditFilter {
  return {
    tenant: query.tenant,
    fromMs: momentOf(query.from),
    toMs: momentOf(query.to),
    state: query.state,
    requestedModel: query.requested_model,
    servedProvider: query.provider,
    servedModel: query.model,
    servedRoute: query.offering,
    fallback: flagOf(query.fallback),
    apiKey: query.key,
    service: query.service,
    feature: query.feature,
    errorCode: query.error_code,
    policy: query.policy,
    minCostMicroUsd: query.min_cost_micro_usd,
    stream: flagOf(query.stream),
    parentRequestId: query.parent_request_id,
    attempt: { faultClass: query.fault, channel: query.channel, action: query.action },
  };
}

function flagOf(flag: Flag | undefined): boolean | undefined {
  return flag === undefined ? undefined : flag === 'true';
}
