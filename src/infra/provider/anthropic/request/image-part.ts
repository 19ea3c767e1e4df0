import { isJsonObject, type JsonObject } from '../../../../domain/kernel/json';
import { ok } from '../../../../domain/kernel/result';
import type { Block } from './block';
import { byteLength, isDataUrl, readDataUrl } from './data-url';
import { fileKindOf } from './magic-bytes';
import { gate, given, reject, type Scope, type Translated } from './translation';

/** Anthropic's limit for one image (vision guide). */
const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

/** An `image_url` part. `detail` has no counterpart and changes no meaning, so it goes silently. */
export function imageBlock(part: JsonObject, param: string, scope: Scope): Translated<Block> {
  const image = given(part, 'image_url');
  const url = isJsonObject(image) ? given(image, 'url') : undefined;
  const at = `${param}.image_url.url`;
  if (typeof url !== 'string') return reject(at, 'must be a string');
  if (!scope.contract.vision) return gate(at, 'this model reads no images');
  if (isDataUrl(url)) return embeddedImage(url, at);
  // Handed over, never fetched by us. Plain http would show the image to the network.
  if (/^https:\/\//i.test(url)) return ok({ type: 'image', source: { type: 'url', url } });
  return gate(at, 'must be an https or a data URL for this model');
}

function embeddedImage(url: string, at: string): Translated<Block> {
  const data = readDataUrl(url, at);
  if (!data.ok) return data;
  const { base64 } = data.value;
  const kind = fileKindOf(base64);
  if (kind === null || kind === 'application/pdf') {
    return gate(at, 'is neither a PNG, a JPEG, a GIF nor a WebP image, which are all that this model reads');
  }
  if (byteLength(base64) > MAX_IMAGE_BYTES) return gate(at, 'is larger than 10 MB, the limit of this model');
  return ok({ type: 'image', source: { type: 'base64', media_type: kind, data: base64 } });
}
