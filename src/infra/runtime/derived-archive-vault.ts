import type { ArchivedInteraction } from '../../domain/archive/archived-interaction';
import type { ArchivePlace, ArchiveVault } from '../../usecase/port/archive-vault';
import { deriveKey } from '../config/secret-key';
import { PlaceBoundCipher } from './place-bound-cipher';

/** Under a key of its own, derived from the gateway's secret key. */
export class DerivedArchiveVault implements ArchiveVault {
  private readonly cipher: PlaceBoundCipher;

  constructor(secretKey: Buffer) {
    this.cipher = new PlaceBoundCipher(Buffer.from(deriveKey(secretKey, 'archive'), 'hex'));
  }

  seal(interaction: ArchivedInteraction, { tenant, requestId }: ArchivePlace): string {
    return this.cipher.seal(JSON.stringify(interaction), [tenant, requestId]);
  }

  unseal(sealed: string, { tenant, requestId }: ArchivePlace): ArchivedInteraction | null {
    const text = this.cipher.unseal(sealed, [tenant, requestId]);
    return text === null ? null : (JSON.parse(text) as ArchivedInteraction);
  }
}
