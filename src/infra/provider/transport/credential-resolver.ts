import { readFile } from 'node:fs/promises';
import type { Result } from '../../../domain/kernel/result';
import { err, ok } from '../../../domain/kernel/result';
import type { LocalSignal } from '../../../domain/resilience/signal';

/** Finds the credential behind a channel's reference. Its value is never logged, and never part of a signal. */
export interface CredentialResolver {
  resolve(reference: string): Promise<Result<string, LocalSignal>>;
}

/** Reads the credentials of one scheme; null: there is none of that name. */
export interface CredentialScheme {
  read(name: string): Promise<string | null>;
}

/** References are `scheme:name`; which schemes exist is up to the composition root. */
export class CredentialSchemes implements CredentialResolver {
  constructor(private readonly schemes: ReadonlyMap<string, CredentialScheme>) {}

  async resolve(reference: string): Promise<Result<string, LocalSignal>> {
    const colon = reference.indexOf(':');
    const scheme = this.schemes.get(reference.slice(0, Math.max(colon, 0)));
    if (scheme === undefined) return missing('a credential reference has an unknown scheme');
    const value = (await scheme.read(reference.slice(colon + 1)))?.trim() ?? '';
    return value === '' ? missing(`the credential ${reference} is not set`) : ok(value);
  }
}

function missing(message: string): Result<never, LocalSignal> {
  return err({ kind: 'local', cause: 'no_credential', param: null, message });
}

/** `env:NAME`. */
export class EnvironmentCredentials implements CredentialScheme {
  constructor(private readonly environment: Readonly<Record<string, string | undefined>>) {}

  async read(name: string): Promise<string | null> {
    return this.environment[name] ?? null;
  }
}

/** How long a file's content is used before it is read again: a rotated secret counts within seconds. */
const FILE_CACHE_MS = 5_000;

/** `file:/path`, as mounted secrets are. */
export class FileCredentials implements CredentialScheme {
  private readonly cache = new Map<string, Readonly<{ value: string | null; untilMs: number }>>();

  constructor(private readonly clock: Readonly<{ nowMs(): number }>) {}

  async read(path: string): Promise<string | null> {
    const cached = this.cache.get(path);
    const nowMs = this.clock.nowMs();
    if (cached !== undefined && nowMs < cached.untilMs) return cached.value;
    // An unreadable file is a missing credential; the reason would only name the path again.
    const value = await readFile(path, 'utf8').catch(() => null);
    this.cache.set(path, { value, untilMs: nowMs + FILE_CACHE_MS });
    return value;
  }
}
