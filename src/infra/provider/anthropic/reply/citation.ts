import type { JsonObject, JsonValue } from '../../../../domain/kernel/json';
import { isJsonObject } from '../../../../domain/kernel/json';

/** Where a cited text stands in the whole content, in UTF-16 code units. */
export type TextSpan = Readonly<{ start: number; end: number }>;

/** A citation of a web page; those of other kinds have no counterpart (WIRE §10.1). */
export function webCitation(citation: JsonValue | undefined): JsonObject | null {
  if (!isJsonObject(citation) || citation.type !== 'web_search_result_location') return null;
  return typeof citation.url === 'string' ? citation : null;
}

export function annotationOf({ url, title }: JsonObject, span: TextSpan): JsonObject {
  const name = typeof title === 'string' ? title : '';
  return {
    type: 'url_citation',
    url_citation: { start_index: span.start, end_index: span.end, title: name, url },
  };
}
