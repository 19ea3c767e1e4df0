import type { JsonValue } from '../kernel/json';
import { detect } from './detect';
import type { Span } from './detect';
import { editTexts } from './edit-texts';
import type { PiiClass } from './pii-class';

/** How often each class was found; a class that isn't named wasn't found. */
export type PiiCounts = Readonly<Partial<Record<PiiClass, number>>>;

/** What may be kept of a scan: numbers, and never the text. */
export type PiiFindings = Readonly<{
  counts: PiiCounts;
  /** Images, audio and files in the request, which nobody can read here. */
  unscannedParts: number;
}>;

/** What one request holds, as far as it was looked for. It knows the texts, so it stays in memory and is never recorded. */
export type PiiScan = Readonly<{
  /** The classes that were looked for. */
  classes: ReadonlySet<PiiClass>;
  findings: PiiFindings;
  /** Every text that holds something, with its places in their order. */
  spans: ReadonlyMap<string, readonly Span[]>;
  /** What the caller wrote that looks like one of our placeholders. */
  reserved: ReadonlySet<string>;
}>;

/** Reads every text of a request that goes to a provider: names and numbers of its JSON included. */
export function scanRequest(body: JsonValue, classes: ReadonlySet<PiiClass>): PiiScan {
  const counts: Partial<Record<PiiClass, number>> = {};
  const spans = new Map<string, readonly Span[]>();
  const reserved = new Set<string>();
  let unscannedParts = 0;
  editTexts(body, {
    text: (text) => {
      const found = spans.get(text) ?? detect(text, classes);
      for (const span of found) counts[span.class] = (counts[span.class] ?? 0) + 1;
      if (found.length > 0) spans.set(text, found);
      for (const [lookalike] of text.matchAll(PLACEHOLDER)) reserved.add(lookalike);
      return text;
    },
    binary: () => {
      unscannedParts += 1;
    },
  });
  return { classes, findings: { counts, unscannedParts }, spans, reserved };
}

/** Every text that could be taken for a placeholder, `[EMAIL_1]`. */
export const PLACEHOLDER = /\[[A-Z][A-Z_]{1,14}_\d{1,9}\]/g;

/** The scan, if it has looked for all of these; otherwise a new one that has. */
export function scanCovering(scan: PiiScan, body: JsonValue, classes: ReadonlySet<PiiClass>): PiiScan {
  if ([...classes].every((piiClass) => scan.classes.has(piiClass))) return scan;
  return scanRequest(body, new Set([...scan.classes, ...classes]));
}

/** Which of the classes were found. */
export function foundAmong(scan: PiiScan, classes: ReadonlySet<PiiClass>): readonly PiiClass[] {
  return [...classes].filter((piiClass) => scan.findings.counts[piiClass] !== undefined);
}
