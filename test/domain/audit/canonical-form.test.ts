import fc from 'fast-check';
import { canonicalForm, type StoredRecord } from '../../../src/domain/audit/canonical-form';

const value = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', 'null', '"', '","', '{}', '\u0000', '\n'),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constant(null),
);
const row = fc.dictionary(fc.constantFrom('a', 'b', 'a"', 'row', 'attempts'), value, {
  noNullPrototype: true,
});
const record: fc.Arbitrary<StoredRecord> = fc.record({
  kind: fc.constantFrom('interaction' as const, 'change' as const),
  row,
  attempts: fc.array(row, { maxLength: 3 }),
});

/** What a record says, whatever the order of its columns: nothing and an absent column are the same. */
const said = ({ kind, row: own, attempts }: StoredRecord): unknown => [kind, ...held([own, ...attempts])];

const held = (rows: readonly StoredRecord['row'][]) =>
  rows.map(
    (columns) =>
      new Map(
        Object.entries(columns)
          .filter(([, stored]) => stored !== null)
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
  );

describe('canonical form', () => {
  it('is JSON without spaces, with sorted names, without the hash and without what is empty', () => {
    const form = canonicalForm({
      kind: 'interaction',
      row: { writer: 'wri_1', hash: 'ff', sequence: 7, error_code: null, cost_micro_usd: 0 },
      attempts: [{ number: 1, action: 'initial' }],
    });

    expect(form).toBe(
      '{"attempts":[{"action":"initial","number":1}],"kind":"interaction","row":{"cost_micro_usd":0,"sequence":7,"writer":"wri_1"}}',
    );
  });

  it('is what JSON.stringify makes of sorted columns', () => {
    const sorted = (columns: StoredRecord['row']): unknown => Object.fromEntries(held([columns])[0]!);
    fc.assert(
      fc.property(record, ({ kind, row: own, attempts }) => {
        const form = JSON.stringify({ attempts: attempts.map(sorted), kind, row: sorted(own) });
        return canonicalForm({ kind, row: own, attempts }) === form;
      }),
    );
  });

  it('does not depend on the order of the columns', () => {
    const one = canonicalForm({ kind: 'change', row: { a: 1, b: 'x' }, attempts: [] });
    const other = canonicalForm({ kind: 'change', row: { b: 'x', a: 1 }, attempts: [] });

    expect(one).toBe(other);
  });

  it('is the same for text with half a character and for what a store keeps of it', () => {
    const said = canonicalForm({ kind: 'change', row: { a: 'x\uD800y' }, attempts: [] });
    const stored = canonicalForm({ kind: 'change', row: { a: 'x\uFFFDy' }, attempts: [] });

    expect(said).toBe(stored);
    expect(canonicalForm({ kind: 'change', row: { a: '❄😀' }, attempts: [] })).toContain('"❄😀"');
  });

  it('differs between any two records that differ', () => {
    fc.assert(
      fc.property(record, record, (one, other) => {
        const same = canonicalForm(one) === canonicalForm(other);
        let equal = true;
        try {
          expect(said(one)).toEqual(said(other));
        } catch {
          equal = false;
        }
        return same === equal;
      }),
      { numRuns: 500 },
    );
  });

  it('differs when one column of a record is changed', () => {
    fc.assert(
      fc.property(record, value, (given, changed) => {
        fc.pre(given.row['a'] !== changed && !(given.row['a'] === undefined && changed === null));
        const after = { ...given, row: { ...given.row, a: changed } };
        return canonicalForm(given) !== canonicalForm(after);
      }),
    );
  });
});
