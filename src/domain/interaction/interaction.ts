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
