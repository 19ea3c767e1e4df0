import { detect } from '../../../src/domain/pii/detect';
import type { PiiClass } from '../../../src/domain/pii/pii-class';

/** What the detector of one class finds in a text. */
export function found(piiClass: PiiClass, text: string): readonly string[] {
  return detect(text, new Set([piiClass])).map(({ start, end }) => text.slice(start, end));
}
