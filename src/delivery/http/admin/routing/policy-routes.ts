import type { GatewayError } from '../../../../domain/error/gateway-error';
import type { Result } from '../../../../domain/kernel/result';
import type { ExplainRouting } from '../../../../usecase/routing/explain-routing';
import type { ReadPolicies } from '../../../../usecase/routing/read-policies';
import type { RemovePolicy } from '../../../../usecase/routing/remove-policy';
import type { RestorePolicy } from '../../../../usecase/routing/restore-policy';
import type { RollBackCanary } from '../../../../usecase/routing/roll-back-canary';
import type { WritePolicy, WrittenPolicy } from '../../../../usecase/routing/write-policy';
import type { AdminResult, AdminRoute } from '../admin-route';
import { listed, param, plain, replied, withBody } from '../admin-route';
import { SLUG } from '../field-rules';
import { pathId } from '../path-id';
import { ExplainDto } from './explain-dto';
import { questionOf } from './explain-question';
import { presentExplanation } from './explanation-presenter';
import { preconditionOf } from './if-match';
import { policyInputOf } from './policy-document';
import { PolicyDto } from './policy-dto';
import { entityTag, presentPolicy, presentWrittenPolicy } from './policy-presenter';
import { RollbackPolicyDto } from './rollback-policy-dto';

export type PolicyUseCases = Readonly<{
  readPolicies: ReadPolicies;
  writePolicy: WritePolicy;
  restorePolicy: RestorePolicy;
  removePolicy: RemovePolicy;
  rollBackCanary: RollBackCanary;
  explainRouting: ExplainRouting;
}>;

const LIST = '/tenants/{tenant}/routing-policies';
const ONE = `${LIST}/{policy}`;

export function policyRoutes(useCases: PolicyUseCases): readonly AdminRoute[] {
  return [
    ...readingRoutes(useCases),
    explainingRoute(useCases),
    ...writingRoutes(useCases),
    canaryRoute(useCases),
    removingRoute(useCases),
  ];
}

function readingRoutes({ readPolicies }: PolicyUseCases): readonly AdminRoute[] {
  return [
    {
      method: 'get',
      path: LIST,
      scope: 'policy:read',
      summary: 'List the current versions of the routing policies',
      ...plain(async (request) => listed(readPolicies.all(param(request, 'tenant')).map(presentPolicy))),
    },
    {
      method: 'get',
      path: ONE,
      scope: 'policy:read',
      summary: 'Read the current version of a routing policy',
      ...plain(async (request) => {
        const policy = readPolicies.one(param(request, 'tenant'), param(request, 'policy'));
        return policy.ok ? replied(200, presentPolicy(policy.value), entityTag(policy.value)) : policy;
      }),
    },
    {
      method: 'get',
      path: `${ONE}/versions`,
      scope: 'policy:read',
      summary: 'List all versions of a routing policy, newest first',
      ...plain(async (request) => {
        const versions = await readPolicies.versions(param(request, 'tenant'), param(request, 'policy'));
        return versions.ok ? listed(versions.value.map(presentPolicy)) : versions;
      }),
    },
  ];
}

function explainingRoute({ explainRouting }: PolicyUseCases): AdminRoute {
  return {
    method: 'post',
    path: `${ONE}/explain`,
    scope: 'policy:read',
    summary: 'Say what would happen to a request; no provider is called, and nothing is written',
    body: ExplainDto,
    query: null,
    handle: async (request) => {
      const of = { tenant: param(request, 'tenant'), policy: param(request, 'policy') };
      const question = questionOf(of, request.body);
      if (!question.ok) return question;
      const explanation = await explainRouting.execute(question.value);
      return explanation.ok ? replied(200, presentExplanation(explanation.value)) : explanation;
    },
  };
}

function writingRoutes({ writePolicy, restorePolicy }: PolicyUseCases): readonly AdminRoute[] {
  return [
    {
      method: 'put',
      path: ONE,
      scope: 'policy:write',
      summary: 'Write a new version of a routing policy; If-Match guards against lost updates',
      ...withBody(PolicyDto, async (request, dto) => {
        const name = pathId({
          field: 'policy',
          inPath: param(request, 'policy'),
          inBody: null,
          pattern: SLUG,
        });
        if (!name.ok) return name;
        const precondition = preconditionOf(request);
        if (!precondition.ok) return precondition;
        const address = { tenant: param(request, 'tenant'), name: name.value, by: request.caller.id };
        return writtenReply(await writePolicy.execute(address, policyInputOf(dto), precondition.value));
      }),
    },
    {
      method: 'post',
      path: `${ONE}/rollback`,
      scope: 'policy:write',
      summary: 'Restore an earlier version as a new one',
      ...withBody(RollbackPolicyDto, async (request, { version }) => {
        const precondition = preconditionOf(request);
        if (!precondition.ok) return precondition;
        const address = {
          tenant: param(request, 'tenant'),
          name: param(request, 'policy'),
          by: request.caller.id,
        };
        return writtenReply(await restorePolicy.execute(address, version, precondition.value));
      }),
    },
  ];
}

function canaryRoute({ rollBackCanary }: PolicyUseCases): AdminRoute {
  return {
    method: 'post',
    path: `${ONE}/canary/rollback`,
    scope: 'policy:write',
    summary: 'Take the canary of a routing policy back at once, as a new version',
    ...plain(async (request) => {
      const precondition = preconditionOf(request);
      if (!precondition.ok) return precondition;
      const address = {
        tenant: param(request, 'tenant'),
        name: param(request, 'policy'),
        by: request.caller.id,
      };
      return writtenReply(await rollBackCanary.execute(address, precondition.value));
    }),
  };
}

function removingRoute({ removePolicy }: PolicyUseCases): AdminRoute {
  return {
    method: 'delete',
    path: ONE,
    scope: 'policy:write',
    summary: 'End a routing policy; its versions stay',
    ...plain(async (request) => {
      const precondition = preconditionOf(request);
      if (!precondition.ok) return precondition;
      const removed = await removePolicy.execute(
        param(request, 'tenant'),
        param(request, 'policy'),
        precondition.value,
      );
      return removed.ok ? replied(204, null) : removed;
    }),
  };
}

function writtenReply(outcome: Result<WrittenPolicy, GatewayError>): AdminResult {
  if (!outcome.ok) return outcome;
  const { version, warnings } = outcome.value;
  return replied(
    version.version === 1 ? 201 : 200,
    presentWrittenPolicy(version, warnings),
    entityTag(version),
  );
}
