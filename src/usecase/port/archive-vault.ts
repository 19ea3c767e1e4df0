import type { ArchivedInteraction } from '../../domain/archive/archived-interaction';
import type { RequestId, TenantId } from '../../domain/kernel/ids';

/** What can only be written and read with the gateway's secret key. */
export interface ArchiveVault {
  seal(interaction: ArchivedInteraction, place: ArchivePlace): string;
  /** Null: it was sealed for another place or with another secret key, or it has been changed. */
  unseal(sealed: string, place: ArchivePlace): ArchivedInteraction | null;
}

/** Whose interaction it is. It can be read nowhere else, so that rows can't be swapped. */
export type ArchivePlace = Readonly<{ tenant: TenantId; requestId: RequestId }>;
