import type { AdapterKind, Channel } from '../../domain/catalog/channel';
import type { Signal } from '../../domain/resilience/signal';
import type { ModelLister } from '../../usecase/port/model-lister';

/** One lister for each wire. */
export class ModelListerByKind implements ModelLister {
  constructor(private readonly listers: Readonly<Record<AdapterKind, ModelLister>>) {}

  listModels(channel: Channel, abort: AbortSignal): Promise<Signal | null> {
    return this.listers[channel.kind].listModels(channel, abort);
  }
}
