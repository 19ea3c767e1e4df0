import { breakKindOf, type BreakKind, type Evidence } from '../../../src/domain/audit/chain-break';

describe('kind of a break', () => {
  it.each<[string, Evidence, BreakKind]>([
    ['nothing there, found nowhere', { occupied: false, displaced: false, swapped: false }, 'missing'],
    ['nothing there, found further on', { occupied: false, displaced: true, swapped: false }, 'reordered'],
    ['something else there, found nowhere', { occupied: true, displaced: false, swapped: false }, 'changed'],
    ['a stranger there, found further on', { occupied: true, displaced: true, swapped: false }, 'inserted'],
    ['both in each other’s place', { occupied: true, displaced: true, swapped: true }, 'reordered'],
  ])('%s', (_name, evidence, kind) => {
    expect(breakKindOf(evidence)).toBe(kind);
  });
});
