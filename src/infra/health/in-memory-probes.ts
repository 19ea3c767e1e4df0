import { NEVER_PROBED, type ChannelProbe } from '../../domain/health/channel-probe';
import type { ChannelId } from '../../domain/kernel/ids';
import type { ProbeStore } from '../../usecase/port/probe-store';

/** Each process probes alone. */
export class InMemoryProbes implements ProbeStore {
  private readonly channels = new Map<ChannelId, ChannelProbe>();

  get(channel: ChannelId): ChannelProbe {
    return this.channels.get(channel) ?? NEVER_PROBED;
  }

  set(channel: ChannelId, probe: ChannelProbe): void {
    this.channels.set(channel, probe);
  }
}
