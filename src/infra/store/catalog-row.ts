import type { AdapterKind, Channel, ChannelOptions } from '../../domain/catalog/channel';
import type { Model } from '../../domain/catalog/model';
import type { ModelContract } from '../../domain/catalog/model-contract';
import type { Offering } from '../../domain/catalog/offering';
import type { Price } from '../../domain/catalog/price';
import type { DataPolicy, Provider } from '../../domain/catalog/provider';
import { fromFlag, toFlag, type FlagColumn } from './flag-column';
import { fromJson, fromNullableJson, toJson, toNullableJson } from './json-column';

/** `registered`: the change that added the entry. Routes are tried in this order where nothing else decides. */
export type Registered = Readonly<{ id: string; registered: number }>;

export type ProviderRow = Registered & Readonly<{ name: string; data_policy: string }>;

export type ChannelRow = Registered &
  Readonly<{
    provider: string;
    kind: AdapterKind;
    base_url: string;
    credential_ref: string;
    region: string;
    channel_group: string;
    priority: number;
    enabled: FlagColumn;
    options: string;
  }>;

/** A model's id is its name. */
export type ModelRow = Registered & Readonly<{ aliases: string; provider: string; contract: string }>;

export type OfferingRow = Registered &
  Readonly<{
    channel: string;
    model: string;
    upstream_name: string;
    price: string | null;
    contract: string;
    enabled: FlagColumn;
  }>;

export function providerRowOf(provider: Provider, registered: number): ProviderRow {
  return { id: provider.id, name: provider.name, data_policy: toJson(provider.dataPolicy), registered };
}

export function providerOf(row: ProviderRow): Provider {
  return { id: row.id, name: row.name, dataPolicy: fromJson<DataPolicy>(row.data_policy) };
}

export function channelRowOf(channel: Channel, registered: number): ChannelRow {
  return {
    id: channel.id,
    provider: channel.provider,
    kind: channel.kind,
    base_url: channel.baseUrl,
    credential_ref: channel.credentialRef,
    region: channel.region,
    channel_group: channel.group,
    priority: channel.priority,
    enabled: toFlag(channel.enabled),
    options: toJson(channel.options),
    registered,
  };
}

export function channelOf(row: ChannelRow): Channel {
  return {
    id: row.id,
    provider: row.provider,
    kind: row.kind,
    baseUrl: row.base_url,
    credentialRef: row.credential_ref,
    region: row.region,
    group: row.channel_group,
    priority: row.priority,
    enabled: fromFlag(row.enabled),
    options: fromJson<ChannelOptions>(row.options),
  };
}

export function modelRowOf(model: Model, registered: number): ModelRow {
  return {
    id: model.name,
    aliases: toJson(model.aliases),
    provider: model.provider,
    contract: toJson(model.contract),
    registered,
  };
}

export function modelOf(row: ModelRow): Model {
  return {
    name: row.id,
    aliases: fromJson<string[]>(row.aliases),
    provider: row.provider,
    contract: fromJson<ModelContract>(row.contract),
  };
}

export function offeringRowOf(offering: Offering, registered: number): OfferingRow {
  return {
    id: offering.id,
    channel: offering.channel,
    model: offering.model,
    upstream_name: offering.upstreamName,
    price: toNullableJson(offering.price),
    contract: toJson(offering.contract),
    enabled: toFlag(offering.enabled),
    registered,
  };
}

export function offeringOf(row: OfferingRow): Offering {
  return {
    id: row.id,
    channel: row.channel,
    model: row.model,
    upstreamName: row.upstream_name,
    price: fromNullableJson<Price>(row.price),
    contract: fromJson<Partial<ModelContract>>(row.contract),
    enabled: fromFlag(row.enabled),
  };
}
