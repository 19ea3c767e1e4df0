import type { ChannelProbe } from '../../domain/health/channel-probe';
import type { ChannelId } from '../../domain/kernel/ids';

/** Keeps what this process's probes saw; the rules are in `domain/health`. Bounded by the number of channels. */
export interface ProbeStore {
  /** A channel that was never probed has the state that says so. */
  get(channel: ChannelId): ChannelProbe;
  set(channel: ChannelId, probe: ChannelProbe): void;
}
