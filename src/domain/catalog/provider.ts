import type { ProviderId } from '../kernel/ids';

/** A company that runs models. */
export type Provider = Readonly<{ id: ProviderId; name: string; dataPolicy: DataPolicy }>;

/** What a provider does with data; a channel or an offering may narrow it. */
export type DataPolicy = Readonly<{
  /** Days that requests are kept; 0: none; null: not stated. */
  retentionDays: number | null;
  trainsOnData: boolean | null;
}>;
