/** What a file is by its first bytes. Labels lie: `image/jpg`, upper case and wrong types occur (WIRE §4). */
export type FileKind = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'application/pdf';

/** 16 base64 characters decode to the 12 bytes that the longest signature needs. */
const HEAD_CHARACTERS = 16;

const SIGNATURES: readonly (readonly [kind: FileKind, signature: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
  ['application/pdf', /^%PDF-/],
];

export function fileKindOf(base64: string): FileKind | null {
  const head = Buffer.from(base64.slice(0, HEAD_CHARACTERS), 'base64').toString('latin1');
  return SIGNATURES.find(([, signature]) => signature.test(head))?.[0] ?? null;
}
