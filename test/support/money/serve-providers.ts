import type { ReceivedCall } from '../../../src/infra/simulator/call-log';
import type { SimulatedProvider } from '../../../src/infra/simulator/simulated-provider';
import type { ProviderWire } from '../../../src/infra/simulator/wire-format';
import type { ChannelUrls } from '../gateway-catalog';
import type { FromProviders } from './forked-providers';
import type { ProviderCall } from './provider-call';

/** The side of the providers in their own process: it tells where they listen, reports whenever it is asked, and ends with its parent. */
export function serveProviders(
  { openai, anthropic }: ChannelUrls,
  report: () => Promise<readonly ProviderCall[]>,
  obey: (order: string) => void = () => undefined,
): void {
  const tell = (message: FromProviders<ProviderCall>): void => void process.send?.(message);
  process.on('message', (order: string) => {
    if (order === 'report') void report().then((calls) => tell({ kind: 'report', calls }));
    else obey(order);
  });
  process.on('disconnect', () => process.exit());
  tell({ kind: 'listening', openai, anthropic });
}

/** What a provider has received and billed, once every call is over, in the order of the calls. */
export async function billedCalls(
  provider: SimulatedProvider,
  wire: ProviderWire,
  tagOf: (call: ReceivedCall) => string,
): Promise<readonly ProviderCall[]> {
  const calls = provider.received;
  await Promise.all(calls.map(({ index }) => provider.waitForClose(index)));
  // What broke off is billed in the turn after its socket has closed.
  await new Promise(setImmediate);
  const charged = new Map(provider.charges.calls.map((charge) => [charge.callIndex, charge]));
  return calls.map((call) => ({
    provider: wire,
    tag: tagOf(call),
    clientRequestId: String(call.headers['x-client-request-id'] ?? ''),
    requestId: call.requestId,
    atMs: call.atMs,
    charge: charged.get(call.index) ?? null,
  }));
}
