import type { ProviderId } from '../kernel/ids';
import { PII_CLASSES } from './pii-class';
import type { PiiClass } from './pii-class';

export const PII_ACTIONS = ['allow', 'redact', 'block'] as const;
/** `redact`: the provider gets a placeholder instead. `block`: the request doesn't go there. */
export type PiiAction = (typeof PII_ACTIONS)[number];

/** What may go to a provider. */
export type PiiRule = Readonly<{
  /** Of classes that aren't named the default says it; those that it doesn't name are allowed. */
  classes: Readonly<Partial<Record<PiiClass, PiiAction>>>;
  /** Whether placeholders in the answer become what they stand for; null: as the default says, and if that is silent, no. */
  restore: boolean | null;
}>;

/** A tenant's rules for personal data (DESIGN §5). */
export type PiiRules = Readonly<{
  /** For every provider, as far as its own rule doesn't say otherwise. */
  default: PiiRule;
  providers: readonly (PiiRule & Readonly<{ provider: ProviderId }>)[];
}>;

export function piiActionOf(rules: PiiRules, provider: ProviderId, piiClass: PiiClass): PiiAction {
  return ruleOf(rules, provider)?.classes[piiClass] ?? rules.default.classes[piiClass] ?? 'allow';
}

/** The classes to which the rule of the provider has this action. */
export function classesTo(action: PiiAction, rules: PiiRules, provider: ProviderId): ReadonlySet<PiiClass> {
  return new Set(PII_CLASSES.filter((piiClass) => piiActionOf(rules, provider, piiClass) === action));
}

export function restoresAnswers(rules: PiiRules, provider: ProviderId): boolean {
  return ruleOf(rules, provider)?.restore ?? rules.default.restore ?? false;
}

/** What has to be looked for before the request can be judged for these providers: whatever one of them may not get. */
export function askedClasses(rules: PiiRules, providers: Iterable<ProviderId>): ReadonlySet<PiiClass> {
  const asked = new Set(providers);
  return new Set(
    PII_CLASSES.filter((piiClass) =>
      [...asked].some((provider) => piiActionOf(rules, provider, piiClass) !== 'allow'),
    ),
  );
}

function ruleOf({ providers }: PiiRules, provider: ProviderId): PiiRule | undefined {
  return providers.find((rule) => rule.provider === provider);
}
