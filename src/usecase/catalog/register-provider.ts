import type { Provider } from '../../domain/catalog/provider';
import type { GatewayError } from '../../domain/error/gateway-error';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import type { CatalogStore } from '../port/catalog-store';
import type { Configuration } from '../port/configuration';
import type { WriteIntent, Written } from './write-intent';
import { existing, written } from './write-intent';

export type RegisterProviderDeps = Readonly<{
  configuration: Pick<Configuration, 'catalog'>;
  store: Pick<CatalogStore, 'putProvider'>;
}>;

/** Writes a company that runs models into the catalog. */
export class RegisterProvider {
  constructor(private readonly deps: RegisterProviderDeps) {}

  async execute(provider: Provider, intent: WriteIntent): Promise<Result<Written<Provider>, GatewayError>> {
    const current = this.deps.configuration.catalog().providers.get(provider.id);
    const conflict = existing(intent, `provider '${provider.id}'`, current);
    if (conflict !== null) return err(conflict);

    await this.deps.store.putProvider(provider);
    return ok(written(provider, current));
  }
}
