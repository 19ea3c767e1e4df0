import type { Logger } from 'pino';
import type { Channel } from '../../domain/catalog/channel';
import type { Tenant } from '../../domain/tenant/tenant';
import type { TenantFacts } from '../../usecase/drill/program';
import type { Config } from '../../infra/config/config';
import { PLAIN_KEY } from '../../usecase/tenant/issue-key';
import { openStore } from '../open-store';
import { TOKEN } from '../token';
import { adminUseCases } from '../usecase-registrations';
import type { SimulatedProviders } from './simulated-providers';

export type Seeding = Readonly<{
  config: Config;
  logger: Logger;
  facts: TenantFacts;
  providers: SimulatedProviders;
  /** The reference under which the gateway finds what the simulated providers take for a key. */
  credentialRef: string;
}>;

/**
 * Fills a new store with the tenant and the whole catalog, of which only the addresses and credentials of the channels are
 * changed. Returns the secret of the drill's app. An operator's key is made too, so that the start takes it for no first run.
 */
export async function seedStore({
  config,
  logger,
  facts,
  providers,
  credentialRef,
}: Seeding): Promise<string> {
  const { container, close } = await openStore(config, logger);
  const catalogStore = container.resolve(TOKEN.catalogStore);
  const { catalog, tenant } = facts;
  const pointed = ({ id, ...channel }: Channel): Channel => ({
    ...channel,
    id,
    baseUrl: providers.baseUrl(id),
    credentialRef,
  });
  try {
    for (const provider of catalog.providers.values()) await catalogStore.putProvider(provider);
    for (const channel of catalog.channels.values()) await catalogStore.putChannel(pointed(channel));
    for (const model of catalog.models.values()) await catalogStore.putModel(model);
    for (const offering of catalog.offerings.values()) await catalogStore.putOffering(offering);
    await container.resolve(TOKEN.tenants).insertTenant(unhurried(tenant));
    const { issueKey } = adminUseCases(container);
    const plain = { ...PLAIN_KEY, name: 'drill' };
    await issueKey.execute(null, { ...plain, scopes: ['operator'] }, 'machine_owner');
    const issued = await issueKey.execute(tenant.id, { ...plain, scopes: ['chat'] }, 'machine_owner');
    if (!issued.ok) throw new Error(`No key could be made for the drill: ${issued.error.code}`);
    return issued.value.secret;
  } finally {
    await close();
  }
}

/** A drill asks more often in a minute than an app may, and from no wallet: it rehearses policies, not limits. */
function unhurried(tenant: Tenant): Tenant {
  const groups = tenant.groups?.map(({ name }) => ({ name, rpm: null })) ?? null;
  return { ...tenant, groups, wallet: false };
}
