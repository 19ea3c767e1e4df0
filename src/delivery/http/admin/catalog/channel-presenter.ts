import type { Channel, ChannelOptions } from '../../../../domain/catalog/channel';
import type { JsonObject } from '../../../../domain/kernel/json';
import type { NewChannel } from '../../../../usecase/catalog/register-channel';
import type { ChannelDto, ChannelOptionsDto } from './channel-dto';

/** The reference to the credential is shown; the credential itself is nowhere in the catalog. */
export function presentChannel(channel: Channel): JsonObject {
  const { headers, organization, project, anthropicVersion, anthropicAuth } = channel.options;
  const { openAiAuth = 'bearer', apiVersion = null, probe = null } = channel.options;
  return {
    id: channel.id,
    provider: channel.provider,
    kind: channel.kind,
    base_url: channel.baseUrl,
    credential_ref: channel.credentialRef,
    region: channel.region,
    group: channel.group,
    priority: channel.priority,
    enabled: channel.enabled,
    options: {
      headers,
      organization,
      project,
      anthropic_version: anthropicVersion,
      anthropic_auth: anthropicAuth,
      openai_auth: openAiAuth,
      api_version: apiVersion,
      probe: probe === null ? null : { kind: probe.kind, interval_ms: probe.intervalMs },
    },
  };
}

export function channelOf(id: string | null, dto: ChannelDto): NewChannel {
  return {
    id,
    provider: dto.provider,
    kind: dto.kind,
    baseUrl: dto.base_url,
    credentialRef: dto.credential_ref,
    region: dto.region,
    group: dto.group ?? 'default',
    priority: dto.priority ?? 100,
    enabled: dto.enabled ?? true,
    options: optionsOf(dto.options ?? {}),
  };
}

function optionsOf(dto: ChannelOptionsDto): ChannelOptions {
  return {
    headers: { ...dto.headers },
    organization: dto.organization ?? null,
    project: dto.project ?? null,
    anthropicVersion: dto.anthropic_version ?? null,
    anthropicAuth: dto.anthropic_auth ?? 'x-api-key',
    openAiAuth: dto.openai_auth ?? 'bearer',
    apiVersion: dto.api_version ?? null,
    probe: dto.probe == null ? null : { kind: dto.probe.kind, intervalMs: dto.probe.interval_ms },
  };
}
