import { Agent } from 'undici';
import type { UpstreamExchange } from './upstream-exchange';

export type UpstreamLimits = Readonly<{
  connectTimeoutMs: number;
  /** Open sockets per origin; a stream occupies one as long as it lasts. */
  connectionsPerOrigin: number;
  /** How long an unused socket is kept, unless the provider names its own limit. */
  keepAliveMs: number;
}>;

/** Connect: STACK §3.4. Connections: the 1,000 streams of PERFORMANCE, with some air. */
export const UPSTREAM_LIMITS: UpstreamLimits = {
  connectTimeoutMs: 5_000,
  connectionsPerOrigin: 1_024,
  keepAliveMs: 30_000,
};

/** Nobody reads it, so one serves all calls. */
const ANSWERED = new Response(null, { status: 200 });

type ExchangeInit = RequestInit & Readonly<{ exchange?: UpstreamExchange }>;

/** Per-call `fetchOptions` of either SDK: how `UpstreamFetch` finds the exchange that this call belongs to. */
export function fetchOptionsOf(exchange: UpstreamExchange): object {
  return { exchange };
}

/**
 * The `fetch` that both SDKs are given. The answer stays in the call's `UpstreamExchange`; the SDK sees an empty 200, or
 * it would read an error body without a bound and wrap the rest in web streams. Redirects are not followed, so a
 * credential never leaves its channel's origin. One instance per process.
 */
export class UpstreamFetch {
  private readonly agent: Agent;

  constructor(limits: UpstreamLimits = UPSTREAM_LIMITS) {
    this.agent = new Agent({
      connect: { timeout: limits.connectTimeoutMs },
      connections: limits.connectionsPerOrigin,
      keepAliveTimeout: limits.keepAliveMs,
      // The attempt's own timers decide; these would cut a longer configured value short.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const { exchange, method, headers, body } = (init ?? {}) as ExchangeInit;
    if (exchange === undefined) throw new Error('a provider call without an exchange');
    const url = new URL(input instanceof Request ? input.url : input);
    await exchange.run(this.agent, {
      origin: url.origin,
      path: url.pathname + url.search,
      method: method === 'GET' ? 'GET' : 'POST',
      headers: plainHeaders(headers),
      body: typeof body === 'string' ? body : null,
    });
    return ANSWERED;
  };

  /** Closes every socket; what still runs ends as a network fault. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }
}

function plainHeaders(headers: RequestInit['headers']): Record<string, string> {
  const plain: Record<string, string> = {};
  const all = headers instanceof Headers ? headers : new Headers(headers);
  for (const [name, value] of all) plain[name] = value;
  // undici's dispatcher does not decompress.
  plain['accept-encoding'] = 'identity';
  return plain;
}
