/**
 * Whether this process shares with the other replicas what it learns of routes (ADR 20). `alone`: it is meant to, and what they
 * share by is away. `off`: it isn't meant to.
 */
export type SharingState = 'shared' | 'alone' | 'off';

export interface Sharing {
  state(): SharingState;
}
