import express from 'express';
import type { Express } from 'express';
import request from 'supertest';
import type { CatalogEntries } from '../../src/domain/catalog/catalog';
import { DEFAULT_BREAKER } from '../../src/domain/health/circuit-breaker';
import { UNRESTRICTED } from '../../src/domain/tenant/eligibility';
import type { ApiKey } from '../../src/domain/tenant/api-key';
import { adminRouter } from '../../src/delivery/http/admin/admin-router';
import type { AdminUseCases } from '../../src/delivery/http/admin/admin-routes';
import type { FaultEntry } from '../../src/delivery/http/error/error-handler';
import { errorHandler } from '../../src/delivery/http/error/error-handler';
import { requestId } from '../../src/delivery/http/middleware/request-id';
import { AsyncChangeAuthor } from '../../src/infra/runtime/async-change-author';
import { sha256 } from '../../src/infra/runtime/sha256';
import { ReadArchive } from '../../src/usecase/archive/read-archive';
import { SwitchArchive } from '../../src/usecase/archive/switch-archive';
import { ExportAudit } from '../../src/usecase/audit/export-audit';
import { QueryAudit } from '../../src/usecase/audit/query-audit';
import { QueryChanges } from '../../src/usecase/audit/query-changes';
import { ReportUsage } from '../../src/usecase/audit/report-usage';
import { VerifyAudit } from '../../src/usecase/audit/verify-audit';
import { InMemoryProbes } from '../../src/infra/health/in-memory-probes';
import type { PrivateUrls } from '../../src/usecase/catalog/channel-url';
import { ReadCatalog } from '../../src/usecase/catalog/read-catalog';
import { RegisterChannel } from '../../src/usecase/catalog/register-channel';
import { RegisterModel } from '../../src/usecase/catalog/register-model';
import { RegisterOffering } from '../../src/usecase/catalog/register-offering';
import { RegisterProvider } from '../../src/usecase/catalog/register-provider';
import { RemoveCatalogEntry } from '../../src/usecase/catalog/remove-catalog-entry';
import { SwitchChannel } from '../../src/usecase/catalog/switch-channel';
import { VerifyChannel } from '../../src/usecase/verification/verify-channel';
import { ReadHealth } from '../../src/usecase/health/read-health';
import { ExplainRouting } from '../../src/usecase/routing/explain-routing';
import { ReadPolicies } from '../../src/usecase/routing/read-policies';
import { RemovePolicy } from '../../src/usecase/routing/remove-policy';
import { RestorePolicy } from '../../src/usecase/routing/restore-policy';
import { RollBackCanary } from '../../src/usecase/routing/roll-back-canary';
import { WritePolicy } from '../../src/usecase/routing/write-policy';
import { CreateTenant } from '../../src/usecase/tenant/create-tenant';
import { IssueKey } from '../../src/usecase/tenant/issue-key';
import { ReadTenants } from '../../src/usecase/tenant/read-tenants';
import { RevokeKey } from '../../src/usecase/tenant/revoke-key';
import { RotateKey } from '../../src/usecase/tenant/rotate-key';
import { UpdateTenant } from '../../src/usecase/tenant/update-tenant';
import { WriteEligibility } from '../../src/usecase/tenant/write-eligibility';
import { CreditWallet } from '../../src/usecase/wallet/credit-wallet';
import { ReadWallet } from '../../src/usecase/wallet/read-wallet';
import { SwitchWallet } from '../../src/usecase/wallet/switch-wallet';
import { FakeClock } from './fake-clock';
import { InMemoryArchive } from './in-memory-archive';
import { InMemoryAuditLog } from './in-memory-audit-log';
import { InMemoryAuditTrail } from './in-memory-audit-trail';
import { InMemoryConfiguration } from './in-memory-configuration';
import { InMemoryRequestRates } from './in-memory-request-rates';
import { InMemoryRouteHealth } from './in-memory-route-health';
import { InMemoryWallets } from './in-memory-wallets';
import { NumberedSecrets } from './numbered-secrets';
import { sampleEntries } from './sample-catalog';
import { ScriptedProvider } from './scripted-provider';
import { SequentialIds } from './sequential-ids';

type Options = Readonly<{ entries?: CatalogEntries; privateChannelUrls?: PrivateUrls }>;

/** The admin API over in-memory ports: two tenants, `acme` and `beta`, and the sample catalog. */
export class AdminGateway {
  readonly clock = new FakeClock();
  readonly ids = new SequentialIds();
  readonly secrets = new NumberedSecrets();
  readonly audit = new InMemoryAuditLog();
  readonly health = new InMemoryRouteHealth();
  readonly rates = new InMemoryRequestRates(this.clock);
  readonly probes = new InMemoryProbes();
  readonly wallets = new InMemoryWallets();
  /** Every upstream is out of order. */
  readonly providers = new ScriptedProvider(this.clock, () => ({
    kind: 'fails',
    afterMs: 0,
    signal: { kind: 'network', code: 'ECONNREFUSED' },
    status: null,
  }));
  readonly trail = new InMemoryAuditTrail();
  readonly author = new AsyncChangeAuthor();
  readonly faults: FaultEntry[] = [];
  readonly configuration: InMemoryConfiguration;
  readonly archive: InMemoryArchive;
  readonly useCases: AdminUseCases;
  readonly app: Express;

  private constructor({ entries, privateChannelUrls }: Options) {
    this.configuration = new InMemoryConfiguration(entries ?? sampleEntries());
    this.archive = new InMemoryArchive(this.configuration);
    this.useCases = this.useCasesWith(privateChannelUrls ?? 'refused');
    const { configuration, secrets, clock, useCases, ids } = this;
    this.app = express()
      .use(requestId(ids))
      .use('/admin/v1', adminRouter({ configuration, secrets, clock, useCases, author: this.author }))
      .use(errorHandler({ error: (entry) => this.faults.push(entry) }));
  }

  static async start(options: Options = {}): Promise<AdminGateway> {
    const gateway = new AdminGateway(options);
    for (const [id, name] of [
      ['acme', 'Acme'],
      ['beta', 'Beta'],
    ] as const) {
      const features = { failover: false };
      await gateway.configuration.insertTenant({
        id,
        name,
        features,
        eligibility: UNRESTRICTED,
        groups: null,
        createdAtMs: 0,
      });
    }
    await gateway.addKey('op', { tenantId: null, scopes: ['operator'] });
    await gateway.addKey('acme-admin', { tenantId: 'acme', scopes: ['tenant:admin'] });
    await gateway.addKey('acme-app', { tenantId: 'acme', scopes: ['chat'] });
    await gateway.addKey('beta-admin', { tenantId: 'beta', scopes: ['tenant:admin', 'chat'] });
    gateway.configuration.writes = 0;
    return gateway;
  }

  /** Registers a key whose secret is its own id. */
  async addKey(id: string, given: Partial<ApiKey>): Promise<void> {
    await this.configuration.insertKey({
      id,
      tenantId: null,
      name: id,
      secretHash: this.secrets.hash(id),
      hint: id.slice(-4),
      scopes: [],
      groups: [],
      groupStrategy: null,
      rpm: null,
      createdAtMs: 0,
      expiresAtMs: null,
      revokedAtMs: null,
      ...given,
    });
  }

  call(
    method: 'get' | 'post' | 'put' | 'patch' | 'delete',
    path: string,
    {
      as = 'op',
      body,
      headers = {},
    }: Readonly<{ as?: string; body?: object; headers?: Record<string, string> }> = {},
  ): request.Test {
    const call = request(this.app)
      [method](`/admin/v1${path}`)
      .set({ authorization: `Bearer ${as}`, ...headers });
    return body === undefined ? call : call.send(body);
  }

  private useCasesWith(privateChannelUrls: PrivateUrls): AdminUseCases {
    const { configuration, clock, ids, secrets, audit, health, trail } = this;
    const queryAudit = new QueryAudit(audit);
    const stored = {
      configuration,
      tenants: configuration,
      policies: configuration,
      store: configuration,
      clock,
      ids,
    };
    const issueKey = new IssueKey({ ...stored, secrets });
    const revokeKey = new RevokeKey(stored);
    return {
      createTenant: new CreateTenant({ ...stored, defaultFeatures: { failover: false } }),
      updateTenant: new UpdateTenant(stored),
      readTenants: new ReadTenants(configuration),
      issueKey,
      revokeKey,
      rotateKey: new RotateKey({ ...stored, issueKey, revokeKey }),
      writeEligibility: new WriteEligibility(stored),
      readCatalog: new ReadCatalog(configuration),
      registerProvider: new RegisterProvider(stored),
      registerChannel: new RegisterChannel({ ...stored, privateChannelUrls }),
      switchChannel: new SwitchChannel(stored),
      registerModel: new RegisterModel(stored),
      registerOffering: new RegisterOffering(stored),
      verifyChannel: new VerifyChannel({
        ...stored,
        providers: this.providers,
        timer: clock,
        shutdown: new AbortController().signal,
      }),
      removeCatalogEntry: new RemoveCatalogEntry(stored),
      readPolicies: new ReadPolicies(stored),
      writePolicy: new WritePolicy(stored),
      restorePolicy: new RestorePolicy(stored),
      removePolicy: new RemovePolicy(stored),
      rollBackCanary: new RollBackCanary(stored),
      explainRouting: new ExplainRouting({
        ...stored,
        health,
        rates: this.rates,
        breaker: DEFAULT_BREAKER,
        maxDeadlineMs: 900_000,
      }),
      readHealth: new ReadHealth({
        sharing: { state: () => 'off' },
        configuration,
        health,
        probes: this.probes,
        clock,
        breaker: DEFAULT_BREAKER,
      }),
      switchArchive: new SwitchArchive({ store: this.archive, clock }),
      readArchive: new ReadArchive({ ...this.archive.parts, configuration, clock }),
      queryAudit,
      queryChanges: new QueryChanges(trail),
      exportAudit: new ExportAudit(queryAudit),
      verifyAudit: new VerifyAudit({ chains: trail, hash: sha256 }),
      reportUsage: new ReportUsage(trail),
      readWallet: new ReadWallet(this.wallets),
      switchWallet: new SwitchWallet(this.wallets),
      creditWallet: new CreditWallet({ wallets: this.wallets, ids, clock }),
    };
  }
}
