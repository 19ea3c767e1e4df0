import { createHash } from 'node:crypto';

const ACCEPTED = /^[a-zA-Z0-9_-]{1,64}$/;
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/**
 * The id of a tool call as Anthropic accepts it (WIRE §5.3). A pure function of the caller's id, so that calls and results
 * stay paired, the next turn gives the same id, and prompt caches hold.
 */
export function upstreamToolCallId(id: string): string {
  return ACCEPTED.test(id) ? id : `call_${base32(createHash('sha256').update(id).digest())}`;
}

/** 256 bits are 52 characters, so that the whole digest fits into 64 with its prefix. */
function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += BASE32.charAt((value >>> bits) & 31);
    }
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + BASE32.charAt((value << (5 - bits)) & 31) : text;
}
