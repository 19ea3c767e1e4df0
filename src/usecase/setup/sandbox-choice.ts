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

/** A sandbox that could call a real provider would be none. Null: nothing real is in use. */
export function sandboxConflict(catalog: Catalog): string | null {
  const real = [...catalog.channels.values()].find((channel) => channel.enabled && !isSandbox(channel));
  if (real === undefined) return null;
  return `The sandbox can't start: the channel '${real.id}' leads to a real provider. Use another SCHNEEAI_DATA_DIR, or SCHNEEAI_SANDBOX=off.`;
}
