import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
/** NIST SP 800-38D §8.2: 96 random bits are safe for 2^32 texts under one key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Seals texts for the place where they are stored, so that rows can't be swapped: AES-256-GCM with the place as additional data. */
export class PlaceBoundCipher {
  /** `key`: 32 bytes. */
  constructor(private readonly key: Buffer) {}

  seal(text: string, place: readonly string[]): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, nonce).setAAD(bytesOf(place));
    const sealed = [cipher.update(text, 'utf8'), cipher.final()];
    return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64');
  }

  /** Null: it was sealed for another place or with another key, or it has been changed. */
  unseal(sealed: string, place: readonly string[]): string | null {
    const bytes = Buffer.from(sealed, 'base64');
    const from = NONCE_BYTES + TAG_BYTES;
    if (bytes.length < from) return null;
    const decipher = createDecipheriv(CIPHER, this.key, bytes.subarray(0, NONCE_BYTES))
      .setAAD(bytesOf(place))
      .setAuthTag(bytes.subarray(NONCE_BYTES, from));
    const plain = decipher.update(bytes.subarray(from));
    try {
      return Buffer.concat([plain, decipher.final()]).toString('utf8');
    } catch {
      // What doesn't authenticate has no meaning that could be guessed.
      return null;
    }
  }
}

/** Not joined by a separator: no part may end where another begins. */
function bytesOf(place: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(place));
}
