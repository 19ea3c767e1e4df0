import type { DependencyContainer } from 'tsyringe';
import type { AdminUseCases } from '../delivery/http/admin/admin-routes';
import { AttemptRunner } from '../usecase/chat/attempt-runner';
import { CompleteChat } from '../usecase/chat/complete-chat';
import { IdempotencyCheck } from '../usecase/chat/idempotency-check';
import { RoutePermits } from '../usecase/chat/route-permits';
import { sha256 } from '../infra/runtime/sha256';
import { ExportAudit } from '../usecase/audit/export-audit';
import { PurgeAudit } from '../usecase/audit/purge-audit';
import { QueryAudit } from '../usecase/audit/query-audit';
import { QueryChanges } from '../usecase/audit/query-changes';
import { ReportUsage } from '../usecase/audit/report-usage';
import { VerifyAudit } from '../usecase/audit/verify-audit';
import { ListModels } from '../usecase/catalog/list-models';
import { ProbeChannels } from '../usecase/health/probe-channels';
import { ReadHealth } from '../usecase/health/read-health';
import { SpoolReplayer } from '../infra/store/spool/spool-replayer';
import { ReconcileInteractions } from '../usecase/interaction/reconcile-interactions';
import { RunCanary } from '../usecase/routing/run-canary';
import { SetUpCatalog } from '../usecase/setup/set-up-catalog';
import { CreateTenant } from '../usecase/tenant/create-tenant';
import { IssueKey } from '../usecase/tenant/issue-key';
import { ReadTenants } from '../usecase/tenant/read-tenants';
import { RevokeKey } from '../usecase/tenant/revoke-key';
import { RotateKey } from '../usecase/tenant/rotate-key';
import { UpdateTenant } from '../usecase/tenant/update-tenant';
import { WriteEligibility } from '../usecase/tenant/write-eligibility';
import { archiveUseCases } from './archive-registrations';
import { catalogUseCases } from './catalog-use-cases';
import { policyUseCases } from './policy-use-cases';
import { singleton } from './singleton';
import { TOKEN } from './token';
import { walletUseCases } from './wallet-use-cases';

/** The path of a chat completion. */
export function registerChat(container: DependencyContainer): void {
  registerAttempts(container);
  singleton(
    container,
    CompleteChat,
    (c) =>
      new CompleteChat({
        configuration: c.resolve(TOKEN.configuration),
        interactions: c.resolve(TOKEN.interactions),
        attempts: c.resolve(AttemptRunner),
        permits: c.resolve(RoutePermits),
        rates: c.resolve(TOKEN.rates),
        canaries: c.resolve(RunCanary),
        idempotency: c.resolve(IdempotencyCheck),
        incidents: c.resolve(TOKEN.incidents),
        clock: c.resolve(TOKEN.clock),
        random: c.resolve(TOKEN.random),
        sleeper: c.resolve(TOKEN.sleeper),
        shutdown: c.resolve(TOKEN.shutdown),
        maxDeadlineMs: c.resolve(TOKEN.config).maxDeadlineMs,
      }),
  );
}

/** What a chat completion makes its attempts with, and who learns of them. */
function registerAttempts(container: DependencyContainer): void {
  singleton(
    container,
    RoutePermits,
    (c) =>
      new RoutePermits({
        configuration: c.resolve(TOKEN.configuration),
        incidents: c.resolve(TOKEN.incidents),
        health: c.resolve(TOKEN.health),
        trials: c.resolve(TOKEN.trials),
        clock: c.resolve(TOKEN.clock),
        breaker: c.resolve(TOKEN.breaker),
      }),
  );
  singleton(
    container,
    AttemptRunner,
    (c) =>
      new AttemptRunner({
        providers: c.resolve(TOKEN.providers),
        clock: c.resolve(TOKEN.clock),
        timer: c.resolve(TOKEN.timer),
        incidents: c.resolve(TOKEN.incidents),
        shutdown: c.resolve(TOKEN.shutdown),
      }),
  );
  singleton(
    container,
    RunCanary,
    (c) =>
      new RunCanary({
        configuration: c.resolve(TOKEN.configuration),
        policies: c.resolve(TOKEN.policies),
        tallies: c.resolve(TOKEN.canaryTallies),
        incidents: c.resolve(TOKEN.incidents),
        clock: c.resolve(TOKEN.clock),
      }),
  );
}

/** What runs beside requests, and what a start does. */
export function registerUpkeep(container: DependencyContainer): void {
  singleton(
    container,
    ReconcileInteractions,
    (c) =>
      new ReconcileInteractions({
        spooled: c.resolve(SpoolReplayer),
        openInteractions: c.resolve(TOKEN.openInteractions),
        interactions: c.resolve(TOKEN.interactions),
        clock: c.resolve(TOKEN.clock),
      }),
  );
  singleton(
    container,
    ProbeChannels,
    (c) =>
      new ProbeChannels({
        configuration: c.resolve(TOKEN.configuration),
        models: c.resolve(TOKEN.models),
        providers: c.resolve(TOKEN.providers),
        probes: c.resolve(TOKEN.probes),
        health: c.resolve(TOKEN.health),
        incidents: c.resolve(TOKEN.incidents),
        clock: c.resolve(TOKEN.clock),
        timer: c.resolve(TOKEN.timer),
        breaker: c.resolve(TOKEN.breaker),
        shutdown: c.resolve(TOKEN.shutdown),
      }),
  );
  singleton(
    container,
    SetUpCatalog,
    (c) =>
      new SetUpCatalog({
        configuration: c.resolve(TOKEN.configuration),
        store: c.resolve(TOKEN.catalogStore),
        prices: c.resolve(TOKEN.prices),
      }),
  );
}

/** Deletes what audit retention no longer keeps. */
export function registerRetention(container: DependencyContainer): void {
  singleton(
    container,
    PurgeAudit,
    (c) =>
      new PurgeAudit({
        retention: c.resolve(TOKEN.auditRetention),
        clock: c.resolve(TOKEN.clock),
        sleeper: c.resolve(TOKEN.sleeper),
        shutdown: c.resolve(TOKEN.shutdown),
      }),
  );
}

/** Everything that the admin API can do, and the command line with it. */
export function adminUseCases(c: DependencyContainer): AdminUseCases {
  const configuration = c.resolve(TOKEN.configuration);
  const clock = c.resolve(TOKEN.clock);
  return {
    ...tenantUseCases(c),
    ...catalogUseCases(c),
    ...policyUseCases(c),
    readHealth: new ReadHealth({
      configuration,
      clock,
      health: c.resolve(TOKEN.health),
      probes: c.resolve(TOKEN.probes),
      sharing: c.resolve(TOKEN.sharing),
      breaker: c.resolve(TOKEN.breaker),
    }),
    ...auditUseCases(c),
    ...archiveUseCases(c),
    ...walletUseCases(c),
  };
}

function auditUseCases(c: DependencyContainer) {
  const queryAudit = new QueryAudit(c.resolve(TOKEN.auditLog));
  return {
    queryAudit,
    queryChanges: new QueryChanges(c.resolve(TOKEN.changeLog)),
    exportAudit: new ExportAudit(queryAudit),
    verifyAudit: new VerifyAudit({ chains: c.resolve(TOKEN.auditChains), hash: sha256 }),
    reportUsage: new ReportUsage(c.resolve(TOKEN.usageReports)),
  };
}

function tenantUseCases(c: DependencyContainer) {
  const deps = {
    configuration: c.resolve(TOKEN.configuration),
    tenants: c.resolve(TOKEN.tenants),
    secrets: c.resolve(TOKEN.secrets),
    ids: c.resolve(TOKEN.ids),
    clock: c.resolve(TOKEN.clock),
  };
  const defaultFeatures = { failover: c.resolve(TOKEN.config).failoverByDefault };
  const issueKey = new IssueKey(deps);
  const revokeKey = new RevokeKey(deps);
  return {
    createTenant: new CreateTenant({ ...deps, defaultFeatures }),
    readTenants: new ReadTenants(deps.configuration),
    updateTenant: new UpdateTenant(deps),
    writeEligibility: new WriteEligibility(deps),
    issueKey,
    revokeKey,
    rotateKey: new RotateKey({ ...deps, issueKey, revokeKey }),
  };
}

export function registerQueries(container: DependencyContainer): void {
  singleton(
    container,
    ListModels,
    (c) => new ListModels({ configuration: c.resolve(TOKEN.configuration), clock: c.resolve(TOKEN.clock) }),
  );
}
