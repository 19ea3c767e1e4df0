import type { Signal } from '../../../domain/resilience/signal';
import { defectSignal } from './event-frames';
import { networkSignal } from './network-signal';
import type { UpstreamExchange } from './upstream-exchange';

/** What it means that a call threw before its answer was read: the network failed, unless we did. Ends the exchange. */
export function signalOfThrown(error: unknown, exchange: UpstreamExchange): Signal {
  const reachedTransport = exchange.started && !exchange.answered;
  exchange.cut();
  return reachedTransport ? networkSignal(error) : defectSignal(error);
}
