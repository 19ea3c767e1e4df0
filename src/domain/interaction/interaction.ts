/** The states of an interaction (DESIGN §7). All but `open` are final. */
export const INTERACTION_STATES = [
  'open',
  'served',
  'failed',
  'refused',
  'cancelled',
  'partial',
  'interrupted',
] as const;
export type InteractionState = (typeof INTERACTION_STATES)[number];
export type FinalState = Exclude<InteractionState, 'open'>;

/** A closed interaction stays as it is; only an open one can end. */
export function canClose(state: InteractionState): boolean {
  return state === 'open';
}
