import type { DependencyContainer } from 'tsyringe';
import { ReadCatalog } from '../usecase/catalog/read-catalog';
import { RegisterChannel } from '../usecase/catalog/register-channel';
import { RegisterModel } from '../usecase/catalog/register-model';
import { RegisterOffering } from '../usecase/catalog/register-offering';
import { RegisterProvider } from '../usecase/catalog/register-provider';
import { RemoveCatalogEntry } from '../usecase/catalog/remove-catalog-entry';
import { SwitchChannel } from '../usecase/catalog/switch-channel';
import { VerifyChannel } from '../usecase/verification/verify-channel';
import { TOKEN } from './token';

/** What the admin API can do with providers, channels, models and offerings. */
export function catalogUseCases(c: DependencyContainer) {
  const configuration = c.resolve(TOKEN.configuration);
  const deps = { configuration, store: c.resolve(TOKEN.catalogStore), ids: c.resolve(TOKEN.ids) };
  const { privateChannelUrls } = c.resolve(TOKEN.config);
  return {
    readCatalog: new ReadCatalog(configuration),
    removeCatalogEntry: new RemoveCatalogEntry(deps),
    registerProvider: new RegisterProvider(deps),
    registerChannel: new RegisterChannel({ ...deps, privateChannelUrls }),
    switchChannel: new SwitchChannel(deps),
    registerModel: new RegisterModel(deps),
    registerOffering: new RegisterOffering(deps),
    verifyChannel: new VerifyChannel({
      ...deps,
      providers: c.resolve(TOKEN.providers),
      clock: c.resolve(TOKEN.clock),
      timer: c.resolve(TOKEN.timer),
      shutdown: c.resolve(TOKEN.shutdown),
    }),
  };
}
