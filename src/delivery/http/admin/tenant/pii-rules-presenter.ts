import type { JsonObject } from '../../../../domain/kernel/json';
import type { PiiRule, PiiRules } from '../../../../domain/pii/pii-rule';
import type { PiiRuleDto, PiiRulesDto } from './pii-rules-dto';

export function presentPiiRules({ default: general, providers }: PiiRules): JsonObject {
  return {
    default: presentRule(general),
    providers: providers.map((rule) => ({ provider: rule.provider, ...presentRule(rule) })),
  };
}

function presentRule({ classes, restore }: PiiRule): JsonObject {
  return { classes, restore };
}

/** The way back. What is left out says nothing, so that the default holds, or without one everything is allowed. */
export function piiRulesOf({ default: general, providers }: PiiRulesDto): PiiRules {
  return {
    default: ruleOf(general ?? {}),
    providers: (providers ?? []).map((rule) => ({ provider: rule.provider, ...ruleOf(rule) })),
  };
}

function ruleOf({ classes, restore }: PiiRuleDto): PiiRule {
  return { classes: classes ?? {}, restore: restore ?? null };
}
