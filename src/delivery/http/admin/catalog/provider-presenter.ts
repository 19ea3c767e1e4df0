import type { Provider } from '../../../../domain/catalog/provider';
import type { JsonObject } from '../../../../domain/kernel/json';
import type { ProviderDto } from './provider-dto';

export function presentProvider({ id, name, dataPolicy }: Provider): JsonObject {
  const { retentionDays, trainsOnData } = dataPolicy;
  return { id, name, data_policy: { retention_days: retentionDays, trains_on_data: trainsOnData } };
}

export function providerOf(id: string, { name, data_policy }: ProviderDto): Provider {
  return {
    id,
    name,
    dataPolicy: {
      retentionDays: data_policy?.retention_days ?? null,
      trainsOnData: data_policy?.trains_on_data ?? null,
    },
  };
}
