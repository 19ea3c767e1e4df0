import type { ChatRequest } from '../chat/chat-request';
import { isJsonObject } from '../kernel/json';
import type { Span } from './detect';
import { editTexts } from './edit-texts';
import type { PiiClass } from './pii-class';
import type { PiiCounts, PiiScan } from './pii-scan';

/** Which placeholder stands for which value; the same one throughout an interaction, for every provider. */
export type Placeholders = Readonly<{
  ofValue: ReadonlyMap<string, string>;
  valueOf: ReadonlyMap<string, string>;
}>;

export const NO_PLACEHOLDERS: Placeholders = { ofValue: new Map(), valueOf: new Map() };

/** A request as a provider may see it. */
export type Redaction = Readonly<{
  request: ChatRequest;
  /** How often something of each class was replaced. */
  counts: PiiCounts;
  /** Those of before, and the new ones. */
  placeholders: Placeholders;
}>;

/** Puts a placeholder in the place of everything of these classes that the scan has found. */
export function redact(
  request: ChatRequest,
  scan: PiiScan,
  classes: ReadonlySet<PiiClass>,
  earlier: Placeholders,
): Redaction {
  const counts: Partial<Record<PiiClass, number>> = {};
  const book = new PlaceholderBook(earlier, scan.reserved);
  const text = (original: string): string => {
    const spans = scan.spans.get(original)?.filter((span) => classes.has(span.class));
    if (spans === undefined || spans.length === 0) return original;
    for (const span of spans) counts[span.class] = (counts[span.class] ?? 0) + 1;
    return replaced(original, spans, book);
  };
  const body = editTexts(request.body, { text, binary: () => undefined });
  return { request: isJsonObject(body) ? { ...request, body } : request, counts, placeholders: book };
}

/** Of spans that overlap the later one keeps what the earlier one leaves of it, so that nothing is lost and nothing twice. */
function replaced(text: string, spans: readonly Span[], book: PlaceholderBook): string {
  let after = '';
  let done = 0;
  for (const { class: piiClass, start, end } of spans) {
    if (end <= done) continue;
    const from = Math.max(start, done);
    after += text.slice(done, from) + book.placeholderFor(piiClass, text.slice(from, end));
    done = end;
  }
  return after + text.slice(done);
}

/** Gives out placeholders while one request is redacted. What the caller wrote himself is never one of them. */
class PlaceholderBook implements Placeholders {
  readonly ofValue: Map<string, string>;
  readonly valueOf: Map<string, string>;
  private readonly numbers = new Map<PiiClass, number>();

  constructor(
    earlier: Placeholders,
    private readonly reserved: ReadonlySet<string>,
  ) {
    this.ofValue = new Map(earlier.ofValue);
    this.valueOf = new Map(earlier.valueOf);
  }

  placeholderFor(piiClass: PiiClass, value: string): string {
    const key = `${piiClass} ${value}`;
    const known = this.ofValue.get(key);
    if (known !== undefined) return known;
    const placeholder = this.next(piiClass);
    this.ofValue.set(key, placeholder);
    this.valueOf.set(placeholder, value);
    return placeholder;
  }

  private next(piiClass: PiiClass): string {
    let number = this.numbers.get(piiClass) ?? 0;
    let placeholder: string;
    do {
      number += 1;
      placeholder = `[${piiClass.toUpperCase()}_${number}]`;
    } while (this.reserved.has(placeholder) || this.valueOf.has(placeholder));
    this.numbers.set(piiClass, number);
    return placeholder;
  }
}
