import {
  belongsAfter,
  continues,
  genesisHash,
  headAfter,
  linkHash,
  type ChainEntry,
  type ChainHead,
} from '../../../src/domain/audit/hash-chain';

/** Shows what was hashed. */
const shown = (text: string): string => `#${text}#`;

const HEAD: ChainHead = { writer: 'wri_1', sequence: 4, hash: 'before' };

const entry = (sequence: number, hash: string): ChainEntry => ({
  kind: 'interaction',
  id: 'req_1',
  tenant: 'acme',
  sequence,
  hash,
  record: { kind: 'interaction', row: { writer: 'wri_1', sequence, tenant: 'acme' }, attempts: [] },
});

const FIFTH =
  '#{"attempts":[],"kind":"interaction","row":{"sequence":5,"tenant":"acme","writer":"wri_1"}}before#';

describe('hash chain', () => {
  it('hashes the canonical record followed by the previous hash', () => {
    expect(linkHash(entry(5, '').record, 'before', shown)).toBe(FIFTH);
  });

  it('opens with its writer and time', () => {
    expect(genesisHash({ writer: 'wri_1', openedAtMs: 17, previous: null }, shown)).toBe(
      '#{"kind":"genesis","opened_at":17,"writer":"wri_1"}#',
    );
  });

  it('opens with the end of the chain before it', () => {
    expect(genesisHash({ writer: 'wri_2', openedAtMs: 17, previous: HEAD }, shown)).toBe(
      '#{"kind":"genesis","opened_at":17,"previous_hash":"before","previous_sequence":4,"previous_writer":"wri_1","writer":"wri_2"}#',
    );
  });

  it.each<[string, ChainEntry, boolean]>([
    ['the next entry', entry(5, FIFTH), true],
    ['another hash', entry(5, 'other'), false],
    ['a later place', entry(6, FIFTH), false],
    ['an earlier place', entry(4, FIFTH), false],
  ])('is continued by the next entry only: %s', (_name, next, expected) => {
    expect(continues(HEAD, next, shown)).toBe(expected);
  });

  it('knows an entry that was moved by what it was written as', () => {
    expect(belongsAfter(HEAD, entry(9, FIFTH), shown)).toBe(true);
    expect(belongsAfter({ ...HEAD, sequence: 5 }, entry(9, FIFTH), shown)).toBe(false);
  });

  it('ends with its last entry', () => {
    expect(headAfter(HEAD, entry(5, FIFTH))).toEqual({ writer: 'wri_1', sequence: 5, hash: FIFTH });
  });
});
