import type { Catalog } from '../../domain/catalog/catalog';
import { isSandbox } from './set-up-catalog';

export type SandboxFacts = Readonly<{
  setting: 'auto' | 'on' | 'off';
  credentialsPresent: boolean;
  catalog: Catalog;
}>;

/**
 * Whether this start simulates its providers. Left to itself it does so only while nothing real is there: a channel that
 * an operator registered means that the gateway is in use, whatever the environment lacks today.
 */
export function sandboxChosen({ setting, credentialsPresent, catalog }: SandboxFacts): boolean {
  if (setting !== 'auto') return setting === 'on';
  return !credentialsPresent && [...catalog.channels.values()].every(isSandbox);
}
