/** Kinds of personal data and secrets that a tenant can have a rule for (DESIGN §5, ADR 17), in the order in which they are shown. */
export const PII_CLASSES = [
  'email',
  'phone',
  'payment_card',
  'iban',
  'national_id',
  'secret',
  'ip_address',
] as const;
export type PiiClass = (typeof PII_CLASSES)[number];
