import type { IncomingHttpHeaders } from 'node:http';
import type { GatewayError } from '../../../domain/error/gateway-error';
import type { Result } from '../../../domain/kernel/result';
import { err, ok } from '../../../domain/kernel/result';
import type { ApiKey } from '../../../domain/tenant/api-key';
import { isUsable } from '../../../domain/tenant/api-key';
import type { Clock } from '../../../usecase/port/clock';
import type { Configuration } from '../../../usecase/port/configuration';
import type { SecretGenerator } from '../../../usecase/port/secret-generator';

export type AuthenticationDeps = Readonly<{
  configuration: Pick<Configuration, 'keyByHash'>;
  secrets: Pick<SecretGenerator, 'hash'>;
  clock: Clock;
}>;

/** Far above any secret of ours: what is longer isn't worth hashing. */
const LONGEST_SECRET = 512;

const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

/**
 * Who is calling. The secret is looked up by its hash, so that no comparison takes a time that tells anything of it; an
 * unknown, an expired and a revoked key get the same answer.
 */
export function identifyCaller(
  headers: IncomingHttpHeaders,
  deps: AuthenticationDeps,
): Result<ApiKey, GatewayError> {
  const secret = presentedSecret(headers);
  if (!secret.ok) return secret;
  const key = deps.configuration.keyByHash(deps.secrets.hash(secret.value));
  if (key === undefined || !isUsable(key, deps.clock.nowMs()))
    return err(refused('The API key is not valid.'));
  return ok(key);
}

function presentedSecret(headers: IncomingHttpHeaders): Result<string, GatewayError> {
  const { authorization } = headers;
  const bearer = BEARER.exec(authorization ?? '')?.[1];
  const apiKey = [headers['x-api-key']].flat()[0];
  if (authorization !== undefined && bearer === undefined) {
    return err(refused("The authorization header must be 'Bearer ' and an API key."));
  }
  if (bearer !== undefined && apiKey !== undefined && bearer !== apiKey) {
    return err(refused('The authorization and x-api-key headers name different keys.'));
  }
  return plausible(bearer ?? apiKey ?? '');
}

function plausible(secret: string): Result<string, GatewayError> {
  if (secret === '') return err(refused("Send an API key as 'authorization: Bearer …'."));
  return secret.length > LONGEST_SECRET ? err(refused('The API key is not valid.')) : ok(secret);
}

function refused(message: string): GatewayError {
  return { code: 'invalid_api_key', message };
}
