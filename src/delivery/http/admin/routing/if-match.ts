import type { InvalidRequest } from '../../../../domain/error/gateway-error';
import type { Result } from '../../../../domain/kernel/result';
import { err, ok } from '../../../../domain/kernel/result';
import type { PolicyPrecondition } from '../../../../usecase/routing/policy-precondition';
import { invalidRequest } from '../../middleware/validated-body';
import type { AdminRequest } from '../admin-route';

const TAG_LIST = /^(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*$/;

type Conditional = Pick<AdminRequest, 'ifMatch' | 'ifNoneMatch'>;

/**
 * What `If-Match` and `If-None-Match` ask of a policy (RFC 9110 §13.1). A weak or foreign tag matches no version, so the
 * write fails as it must; a header that is none of both is a 400, since ignoring it would lose an update.
 */
export function preconditionOf({
  ifMatch,
  ifNoneMatch,
}: Conditional): Result<PolicyPrecondition, InvalidRequest> {
  if (ifMatch !== undefined && ifNoneMatch !== undefined) {
    return err(
      invalidRequest([{ field: 'If-None-Match', message: 'can not be sent together with If-Match' }]),
    );
  }
  if (ifNoneMatch !== undefined) {
    if (ifNoneMatch.trim() === '*') return ok({ kind: 'absent' });
    return err(invalidRequest([{ field: 'If-None-Match', message: "must be '*'" }]));
  }
  return ifMatch === undefined ? ok({ kind: 'none' }) : matching(ifMatch.trim());
}

function matching(header: string): Result<PolicyPrecondition, InvalidRequest> {
  if (header === '*') return ok({ kind: 'present' });
  if (!TAG_LIST.test(header)) {
    return err(
      invalidRequest([{ field: 'If-Match', message: 'must be \'*\' or quoted versions such as "3"' }]),
    );
  }
  const tags = header.split(',').map((tag) => /^"(\d{1,15})"$/.exec(tag.trim())?.[1]);
  return ok({ kind: 'version', versions: tags.filter((tag) => tag !== undefined).map(Number) });
}
