import { Agent } from 'undici';
import type { RequestHead } from './request-head';
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

/** What one call adds to the head that all calls of its channel share. */
export type CallPart = Readonly<{
  /** By names in lower case, in place of the head's own. */
  headers: Readonly<Record<string, string>>;
  body: string | null;
}>;

/** The sockets to all providers. Redirects are not followed, so a credential never leaves its channel's origin. One instance per process. */
export class UpstreamTransport {
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

  /** Resolves when the response headers are in the exchange; rejects with the transport's own error. */
  send(exchange: UpstreamExchange, head: RequestHead, { headers, body }: CallPart): Promise<void> {
    return exchange.run(this.agent, { ...head, headers: { ...head.headers, ...headers }, body });
  }

  /** Closes every socket; what still runs ends as a network fault. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }
}
