import type { InvalidRequest } from '../../../domain/error/gateway-error';
import type { Result } from '../../../domain/kernel/result';
import { err, ok } from '../../../domain/kernel/result';
import { invalidRequest } from '../middleware/validated-body';

type Names = Readonly<{ field: string; inPath: string; inBody: string | null | undefined; pattern: RegExp }>;

/** The id under which a `PUT` writes: the path's, which a body that names one must repeat. */
export function pathId({ field, inPath, inBody, pattern }: Names): Result<string, InvalidRequest> {
  if (inBody !== undefined && inBody !== null && inBody !== inPath) {
    return err(invalidRequest([{ field, message: `must be '${inPath}' as in the path` }]));
  }
  return pattern.test(inPath) ? ok(inPath) : err(invalidRequest([{ field, message: 'is not a valid name' }]));
}
