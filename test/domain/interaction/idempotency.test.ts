import fc from 'fast-check';
import {
  isForgotten,
  judgeKey,
  KEY_RETENTION_MS,
  type KeyHolder,
  type KeyVerdict,
} from '../../../src/domain/interaction/idempotency';
import { INTERACTION_STATES, type InteractionState } from '../../../src/domain/interaction/interaction';

const NOW_MS = 500_000_000;

function heldBy(state: InteractionState, overrides: Partial<KeyHolder> = {}): KeyHolder {
  return {
    requestId: 'req_1',
    billableId: 'req_1',
    bodyHash: 'body',
    claimedAtMs: NOW_MS - 1_000,
    state,
    ...overrides,
  };
}

const SAME = { bodyHash: 'body' };
const OTHER = { bodyHash: 'other body' };
const CONTINUES_FIRST: KeyVerdict = { kind: 'continuation', billableId: 'req_1' };

describe('an idempotency key', () => {
  it('that nobody holds is new', () => {
    expect(judgeKey(SAME, null, NOW_MS)).toEqual({ kind: 'new' });
  });

  // DESIGN §7, line by line.
  it.each<[state: InteractionState, same: KeyVerdict, other: KeyVerdict]>([
    ['open', { kind: 'in_progress' }, { kind: 'reused' }],
    ['served', { kind: 'replay', holder: heldBy('served') }, { kind: 'reused' }],
    ['failed', { kind: 'new' }, { kind: 'new' }],
    ['refused', { kind: 'new' }, { kind: 'new' }],
    ['partial', CONTINUES_FIRST, { kind: 'reused' }],
    ['cancelled', CONTINUES_FIRST, { kind: 'reused' }],
    ['interrupted', CONTINUES_FIRST, { kind: 'reused' }],
  ])('whose interaction is %s', (state, same, other) => {
    expect(judgeKey(SAME, heldBy(state), NOW_MS)).toEqual(same);
    expect(judgeKey(OTHER, heldBy(state), NOW_MS)).toEqual(other);
  });

  describe('after a continuation', () => {
    const continued = (state: InteractionState) => heldBy(state, { requestId: 'req_2' });

    it.each<InteractionState>(['partial', 'cancelled', 'interrupted'])(
      'that is %s too still bills the first interaction',
      (state) => {
        expect(judgeKey(SAME, continued(state), NOW_MS)).toEqual(CONTINUES_FIRST);
      },
    );

    it.each<InteractionState>(['failed', 'refused'])('that %s is where it was before', (state) => {
      expect(judgeKey(SAME, continued(state), NOW_MS)).toEqual(CONTINUES_FIRST);
      expect(judgeKey(OTHER, continued(state), NOW_MS)).toEqual({ kind: 'reused' });
    });
  });

  describe('in time', () => {
    const aged = (state: InteractionState, ageMs: number) => heldBy(state, { claimedAtMs: NOW_MS - ageMs });

    it('is remembered in the last millisecond of its day, and new in the next', () => {
      expect(judgeKey(OTHER, aged('served', KEY_RETENTION_MS - 1), NOW_MS)).toEqual({ kind: 'reused' });
      expect(judgeKey(OTHER, aged('served', KEY_RETENTION_MS), NOW_MS)).toEqual({ kind: 'new' });
    });

    it('is never forgotten while its interaction runs', () => {
      expect(judgeKey(SAME, aged('open', 10 * KEY_RETENTION_MS), NOW_MS)).toEqual({ kind: 'in_progress' });
    });
  });

  it('never lets two run, and never lets another body have an answer', () => {
    const holders = fc.record({
      requestId: fc.constantFrom('req_1', 'req_2'),
      billableId: fc.constantFrom('req_1', 'req_2'),
      bodyHash: fc.constantFrom('body', 'other body'),
      claimedAtMs: fc.nat({ max: NOW_MS }),
      state: fc.constantFrom(...INTERACTION_STATES),
    });
    fc.assert(
      fc.property(holders, (holder) => {
        const { kind } = judgeKey(SAME, holder, NOW_MS);
        const runs = kind === 'new' || kind === 'continuation';
        if (holder.state === 'open') expect(runs).toBe(false);
        if (holder.state === 'served' && !isForgotten(holder, NOW_MS)) expect(runs).toBe(false);
        if (holder.bodyHash !== SAME.bodyHash) expect(['new', 'reused']).toContain(kind);
      }),
    );
  });
});
