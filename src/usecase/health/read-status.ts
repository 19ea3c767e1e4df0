import { observedSince, observedSuccess, type ObservedSuccess } from '../../domain/health/observed-success';
import type { ProviderId } from '../../domain/kernel/ids';
import type { Clock } from '../port/clock';
import type { Configuration } from '../port/configuration';
import type { ProviderMinutes } from '../port/provider-minutes';

/** Anybody may ask, as often as he likes: so often the store is asked at most. */
const FRESH_MS = 15_000;

export type ReadStatusDeps = Readonly<{
  configuration: Pick<Configuration, 'catalog'>;
  minutes: Pick<ProviderMinutes, 'since'>;
  clock: Clock;
}>;

export type Status = Readonly<{
  /** When it was so. */
  atMs: number;
  providers: readonly (ObservedSuccess & Readonly<{ name: string }>)[];
}>;

/** What the public may know: how often providers answered lately, and nothing of whose calls, or how many, they were. */
export class ReadStatus {
  private latest: Readonly<{ askedAtMs: number; status: Promise<Status> }> | null = null;

  constructor(private readonly deps: ReadStatusDeps) {}

  execute(): Promise<Status> {
    const nowMs = this.deps.clock.nowMs();
    if (this.latest === null || nowMs - this.latest.askedAtMs >= FRESH_MS) {
      const status = this.read(nowMs, this.latest?.status ?? null);
      // Whoever asks hears of a failure; here it is nobody's.
      status.catch(() => undefined);
      this.latest = { askedAtMs: nowMs, status };
    }
    return this.latest.status;
  }

  /** While the store can't be asked, what was so before still tells more than nothing, and says how old it is. */
  private async read(nowMs: number, before: Promise<Status> | null): Promise<Status> {
    const { minutes, configuration } = this.deps;
    try {
      const seen = await minutes.since(observedSince(nowMs));
      const { channels, providers } = configuration.catalog();
      const serving = [...channels.values()].filter(({ enabled }) => enabled).map(({ provider }) => provider);
      const shown = [...new Set([...serving, ...seen.map(({ provider }) => provider)])].sort();
      const nameOf = (provider: ProviderId): string => providers.get(provider)?.name ?? provider;
      const success = observedSuccess(shown, seen, nowMs);
      return { atMs: nowMs, providers: success.map((one) => ({ ...one, name: nameOf(one.provider) })) };
    } catch (error) {
      if (before === null) throw error;
      return before;
    }
  }
}
