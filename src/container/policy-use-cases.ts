import type { DependencyContainer } from 'tsyringe';
import { ExplainRouting } from '../usecase/routing/explain-routing';
import { ReadPolicies } from '../usecase/routing/read-policies';
import { RemovePolicy } from '../usecase/routing/remove-policy';
import { RestorePolicy } from '../usecase/routing/restore-policy';
import { RollBackCanary } from '../usecase/routing/roll-back-canary';
import { WritePolicy } from '../usecase/routing/write-policy';
import { TOKEN } from './token';

/** What the admin API can do with routing policies. */
export function policyUseCases(c: DependencyContainer) {
  const deps = {
    configuration: c.resolve(TOKEN.configuration),
    policies: c.resolve(TOKEN.policies),
    clock: c.resolve(TOKEN.clock),
  };
  return {
    readPolicies: new ReadPolicies(deps),
    writePolicy: new WritePolicy(deps),
    restorePolicy: new RestorePolicy(deps),
    removePolicy: new RemovePolicy(deps),
    rollBackCanary: new RollBackCanary(deps),
    explainRouting: new ExplainRouting({
      ...deps,
      health: c.resolve(TOKEN.health),
      rates: c.resolve(TOKEN.rates),
      breaker: c.resolve(TOKEN.breaker),
      maxDeadlineMs: c.resolve(TOKEN.config).maxDeadlineMs,
    }),
  };
}
