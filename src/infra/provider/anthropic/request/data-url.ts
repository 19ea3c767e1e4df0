import { gate, type Translated } from './translation';

/** The decoded form of `data:…;base64,…`: what it says it is, and its base64 text without line breaks. */
export type DataUrl = Readonly<{ mediaType: string; base64: string }>;

const HEAD = /^data:([^,;]*)((?:;[^,;]*)*),/i;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** No data URL has a longer head; looking no further keeps junk of megabytes cheap. */
const HEAD_LIMIT = 512;

export function isDataUrl(url: string): boolean {
  return /^data:/i.test(url);
}

export function readDataUrl(url: string, param: string): Translated<DataUrl> {
  const head = HEAD.exec(url.slice(0, HEAD_LIMIT));
  if (head === null || !/;\s*base64\s*$/i.test(head[2] ?? '')) return gate(param, 'is not a base64 data URL');
  const base64 = url.slice(head[0].length).replace(/\s+/g, '');
  if (!BASE64.test(base64)) return gate(param, 'is not valid base64');
  return { ok: true, value: { mediaType: (head[1] ?? '').trim().toLowerCase(), base64 } };
}

/** Bytes that a base64 text stands for. */
export function byteLength(base64: string): number {
  return Math.floor((base64.replace(/=+$/, '').length * 3) / 4);
}
