import type { Problem } from '../error/gateway-error';
import { err, ok } from '../kernel/result';
import type { Result } from '../kernel/result';
import { DEFAULT_ROLLBACK } from './canary';
import type { Canary, RollbackRule, StickyBy } from './canary';
import type { RoutingPolicyData } from './policy-data';
import { problemsOfSettings } from './policy-limits';
import { settingsWithDefaults } from './policy-settings';
import type { PolicySettings, SettingsInput } from './policy-settings';
import { problemsOfShape } from './policy-shape';
import type { StrategyName } from './strategy-name';
import type { Target } from './target';

/** A policy as a tenant writes it: what it leaves out has its default. */
export type RoutingPolicyInput = Readonly<{
  match: readonly string[];
  primary?: Target | null;
  fallbacks?: readonly Target[];
  strategy?: StrategyName;
  canary?: CanaryInput | null;
  settings?: SettingsInput;
}>;

export type CanaryInput = Readonly<{
  target: Target;
  percent: number;
  stickyBy?: StickyBy;
  rollbackOn?: Partial<RollbackRule>;
}>;

/** A tenant's rule for what may serve a request (DESIGN §4). An invalid one can't exist. */
export class RoutingPolicy {
  private constructor(private readonly data: RoutingPolicyData) {}

  /** Checks a policy that somebody wrote. Every problem is named by its field in the API, not only the first. */
  static create(input: RoutingPolicyInput): Result<RoutingPolicy, readonly Problem[]> {
    const data = withDefaults(input);
    const problems = [...problemsOfShape(data), ...problemsOfSettings(data.settings)];
    return problems.length === 0 ? ok(new RoutingPolicy(data)) : err(problems);
  }

  /** Brings back a stored policy. It was valid when it was written, and a version never changes. */
  static restore(data: RoutingPolicyData): RoutingPolicy {
    return new RoutingPolicy(data);
  }

  toData(): RoutingPolicyData {
    return this.data;
  }

  get match(): readonly string[] {
    return this.data.match;
  }

  get primary(): Target | null {
    return this.data.primary;
  }

  get fallbacks(): readonly Target[] {
    return this.data.fallbacks;
  }

  get strategy(): StrategyName {
    return this.data.strategy;
  }

  get canary(): Canary | null {
    return this.data.canary;
  }

  get settings(): PolicySettings {
    return this.data.settings;
  }
}

function withDefaults(input: RoutingPolicyInput): RoutingPolicyData {
  return {
    match: input.match,
    primary: input.primary ?? null,
    fallbacks: input.fallbacks ?? [],
    strategy: input.strategy ?? 'priority',
    canary: input.canary == null ? null : canaryWithDefaults(input.canary),
    settings: settingsWithDefaults(input.settings ?? {}),
  };
}

function canaryWithDefaults({ target, percent, stickyBy, rollbackOn }: CanaryInput): Canary {
  return {
    target,
    percent,
    stickyBy: stickyBy ?? 'request',
    rollbackOn: {
      errorRate: rollbackOn?.errorRate ?? DEFAULT_ROLLBACK.errorRate,
      minRequests: rollbackOn?.minRequests ?? DEFAULT_ROLLBACK.minRequests,
    },
  };
}
