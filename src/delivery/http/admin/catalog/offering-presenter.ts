import type { Offering } from '../../../../domain/catalog/offering';
import type { Price } from '../../../../domain/catalog/price';
import type { JsonObject } from '../../../../domain/kernel/json';
import type { NewOffering } from '../../../../usecase/catalog/register-offering';
import { presentPrice } from '../../error/refusal-presenter';
import { contractOf, presentContract } from './contract-presenter';
import type { OfferingDto, PriceDto } from './offering-dto';

export function presentOffering(offering: Offering): JsonObject {
  return {
    id: offering.id,
    channel: offering.channel,
    model: offering.model,
    upstream_name: offering.upstreamName,
    price: offering.price === null ? null : presentPrice(offering.price),
    contract: presentContract(offering.contract),
    enabled: offering.enabled,
  };
}

export function offeringOf(id: string | null, dto: OfferingDto): NewOffering {
  return {
    id,
    channel: dto.channel,
    model: dto.model,
    upstreamName: dto.upstream_name,
    price: priceOf(dto.price ?? null),
    contract: contractOf(dto.contract),
    enabled: dto.enabled ?? true,
  };
}

function priceOf(dto: PriceDto | null): Price | null {
  if (dto === null) return null;
  return {
    input: dto.input,
    output: dto.output,
    cachedInput: dto.cached_input ?? null,
    cacheWrite: dto.cache_write ?? null,
    cacheWrite1h: dto.cache_write_1h ?? null,
  };
}
