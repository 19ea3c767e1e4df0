import type { JsonObject } from '../../../../domain/kernel/json';
import type { Eligibility } from '../../../../domain/tenant/eligibility';
import { instantMs, rfc3339OrNull } from '../instant';
import type { EligibilityDto } from './eligibility-dto';
import { piiRulesOf, presentPiiRules } from './pii-rules-presenter';

export function presentEligibility({ allowedRegions, exclusions, allowList, pii }: Eligibility): JsonObject {
  return {
    allowed_regions: allowedRegions,
    exclusions: exclusions.map(({ provider, model, note, untilMs }) => ({
      provider,
      model,
      note,
      until: rfc3339OrNull(untilMs),
    })),
    allow_list: allowList === null ? null : allowList.map(({ provider, model }) => ({ provider, model })),
    pii: pii == null ? null : presentPiiRules(pii),
  };
}

/** The way back. A list that is left out restricts nothing. */
export function eligibilityOf({ allowed_regions, exclusions, allow_list, pii }: EligibilityDto): Eligibility {
  return {
    allowedRegions: allowed_regions ?? null,
    exclusions: (exclusions ?? []).map(({ provider, model, note, until }) => ({
      provider,
      model: model ?? null,
      note,
      untilMs: until == null ? null : instantMs(until),
    })),
    allowList: allow_list?.map(({ provider, model }) => ({ provider, model: model ?? null })) ?? null,
    pii: pii == null ? null : piiRulesOf(pii),
  };
}
