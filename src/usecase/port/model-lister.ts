import type { Channel } from '../../domain/catalog/channel';
import type { Signal } from '../../domain/resilience/signal';

/** Asks a provider whether it is there, as cheaply as it can be asked. */
export interface ModelLister {
  /** Asks for the channel's list of models and doesn't read it. Null: it was answered. Never rejects, and makes no retries. */
  listModels(channel: Channel, abort: AbortSignal): Promise<Signal | null>;
}
