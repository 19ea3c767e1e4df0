import type { Model } from '../../../../domain/catalog/model';
import type { JsonObject } from '../../../../domain/kernel/json';
import type { NewModel } from '../../../../usecase/catalog/register-model';
import { contractOf, presentContract } from './contract-presenter';
import type { ModelDto } from './model-dto';

export function presentModel({ name, aliases, provider, contract }: Model): JsonObject {
  return { name, aliases, provider, contract: presentContract(contract) };
}

export function modelOf(name: string, { aliases, provider, contract }: ModelDto): NewModel {
  return { name, aliases: aliases ?? [], provider, contract: contractOf(contract) };
}
