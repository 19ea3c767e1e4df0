import { digitRunsOf } from './digit-run';
import type { DigitRun } from './digit-run';
import { emailsIn } from './email';
import { ibansIn } from './iban';
import { ipAddressesIn } from './ip-address';
import { nationalIdsIn } from './national-id';
import { paymentCardsIn } from './payment-card';
import { phonesIn } from './phone';
import { plainTextOf } from './plain-text';
import { secretsIn } from './secret';
import type { PiiClass } from './pii-class';
import type { Stretch, Text } from './text';

/** Where a text holds something of a class. Spans of different classes may overlap: each class is looked for by itself. */
export type Span = Stretch & Readonly<{ class: PiiClass }>;

type Detector = (text: Text, runs: readonly DigitRun[]) => readonly Stretch[];

const DETECTORS: Readonly<Record<PiiClass, Detector>> = {
  email: emailsIn,
  phone: phonesIn,
  payment_card: paymentCardsIn,
  iban: ibansIn,
  national_id: nationalIdsIn,
  secret: secretsIn,
  ip_address: ipAddressesIn,
};

/** Classes whose detectors read the text by its runs of digits, which are looked for once. */
const BY_DIGITS: ReadonlySet<PiiClass> = new Set<PiiClass>(['phone', 'payment_card', 'national_id']);
const NO_RUNS: readonly DigitRun[] = [];

/**
 * What of these classes stands in the text, in its order. The work grows with the length of the text alone: no detector
 * reads a character more often than a fixed number of times, whatever the text says.
 */
export function detect(text: Text, classes: ReadonlySet<PiiClass>): readonly Span[] {
  const plain = plainTextOf(text);
  const runs = [...classes].some((one) => BY_DIGITS.has(one)) ? digitRunsOf(plain.text) : NO_RUNS;
  const spans: Span[] = [];
  for (const one of classes) {
    for (const found of DETECTORS[one](plain.text, runs)) spans.push({ class: one, ...plain.sent(found) });
  }
  return spans.length < 2
    ? spans
    : spans.sort((one, other) => one.start - other.start || other.end - one.end);
}
