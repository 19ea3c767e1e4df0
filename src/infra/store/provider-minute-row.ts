import type { ProviderMinute } from '../../domain/health/observed-success';

export type ProviderMinuteRow = Readonly<{
  minute: number;
  provider: string;
  answered: number;
  failed: number;
}>;

export function minuteRowOf({ minuteMs, ...counts }: ProviderMinute): ProviderMinuteRow {
  return { minute: minuteMs, ...counts };
}

export function minuteOfRow({ minute, ...counts }: ProviderMinuteRow): ProviderMinute {
  return { minuteMs: minute, ...counts };
}
