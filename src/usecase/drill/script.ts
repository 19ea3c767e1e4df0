import type { ProviderAct } from '../port/rehearsal-stage';
import type { Script } from './course';
import type { Rung } from './ladder';

/** Every channel of these rungs does the same with every call. */
export function everywhere(rungs: readonly Rung[], act: ProviderAct): Script {
  return new Map(rungs.map(({ route }) => [route.channel.id, [act]]));
}

/** The primary's channels; a fallback that shares one of them meets the same. */
export function atPrimary(ladder: readonly Rung[], act: ProviderAct): Script {
  return everywhere(
    ladder.filter(({ failover }) => !failover),
    act,
  );
}

/** The channel of one rung does these things, call by call. */
export function at({ route }: Rung, ...acts: readonly ProviderAct[]): Script {
  return new Map([[route.channel.id, acts]]);
}

export const HEALTHY: Script = new Map();
