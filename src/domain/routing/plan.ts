import { resolveModelName, routesOf } from '../catalog/catalog';
import type { Catalog } from '../catalog/catalog';
import type { Model } from '../catalog/model';
import type { ChatRequest } from '../chat/chat-request';
import type { GatewayError } from '../error/gateway-error';
import type { ApiKeyId } from '../kernel/ids';
import { err, ok } from '../kernel/result';
import type { Result } from '../kernel/result';
import { askedClasses } from '../pii/pii-rule';
import { scanRequest } from '../pii/pii-scan';
import type { PiiScan } from '../pii/pii-scan';
import type { Tenant } from '../tenant/tenant';
import { candidatesOf } from './candidates';
import { inGroupOrder } from './channel-order';
import type { GroupOrder } from './channel-order';
import { refusalNow } from './gates';
import { matchPolicy } from './match-policy';
import type { PolicyIndex } from './match-policy';
import type { PlannedRoute } from './planned-route';
import { DEFAULT_SETTINGS } from './policy-settings';
import type { PolicySettings } from './policy-settings';
import type { PolicyVersion } from './policy-version';
import type { Refusal } from './refusal';
import { targetsOfModel, targetsOfPolicy } from './targets-of';
import type { Targets } from './targets-of';

/** What may be done for one request, decided before anything is sent. */
export type Plan = Readonly<{
  requestedModel: string;
  /** The version that answers for the whole interaction, whatever is written meanwhile; null: no policy matched. */
  policy: Readonly<{ name: string; version: number }> | null;
  settings: PolicySettings;
  /** The primary is the policy's canary, and this request was drawn for it. */
  canary: boolean;
  /** What fallbacks are measured against (price, provider, model); null: the primary has no route at all. */
  primary: PlannedRoute | null;
  /**
   * Every candidate in the order in which it would be tried: the primary, its other channels, the fallbacks. Those that
   * are refused for good stand behind the others; the rest may be refused by their health, and that can change.
   */
  candidates: readonly PlannedRoute[];
  /** What was refused at the time of planning, and why; also routes of the same model that no policy lists. */
  refusals: readonly Refusal[];
  /** What the request holds of what the rules of the planned providers ask for; null: they ask for nothing. */
  pii: PiiScan | null;
}>;

/** The facts from which a plan is made. */
export type PlanInput = GroupOrder &
  Readonly<{
    request: ChatRequest;
    tenant: Tenant;
    /** The caller's key: a canary can stick to it. */
    apiKey: ApiKeyId;
    catalog: Catalog;
    /** The current versions of the tenant's policies. */
    policies: PolicyIndex;
    /** Chance for a canary that sticks to nothing, 0 ≤ draw < 1. */
    draw: number;
  }>;

/** Resolves the requested model (DESIGN §4): the routes that may serve it in their order, and why each other may not. */
export function planRoutes(input: PlanInput): Result<Plan, GatewayError> {
  const { request, catalog, conditions } = input;
  const model = resolveModelName(catalog, request.model);
  const version = matchPolicy(input.policies, request.model, model?.name ?? null);
  const targets = targetsOf(version, model, input);
  if (targets === null) return err({ code: 'model_not_found', model: request.model });

  const settings = version?.policy.settings ?? DEFAULT_SETTINGS;
  const strategy = version?.policy.strategy ?? 'priority';
  const pii = scanOf(input, targets);
  const { primary, candidates, unlisted } = candidatesOf({ ...input, targets, settings, strategy, pii });
  const refusedNow = candidates.map((candidate) => refusalNow(candidate, conditions));
  return ok({
    requestedModel: request.model,
    policy: version === null ? null : { name: version.name, version: version.version },
    settings,
    canary: targets.canary,
    primary,
    candidates,
    refusals: [...refusedNow, ...unlisted].filter((refusal) => refusal !== null),
    pii,
  });
}

/** One scan for the whole interaction, for whatever one of its providers may not get: no route of another one is ever tried. */
function scanOf({ request, tenant }: PlanInput, targets: Targets): PiiScan | null {
  const rules = tenant.eligibility.pii;
  if (rules == null) return null;
  const classes = askedClasses(
    rules,
    targets.all.map(({ provider }) => provider),
  );
  return classes.size === 0 ? null : scanRequest(request.body, classes);
}

/** A policy that names no target leaves the request where it was sent. Null: nothing says where that is. */
function targetsOf(
  version: PolicyVersion | null,
  model: Model | undefined,
  input: PlanInput,
): Targets | null {
  const caller = { user: userOf(input.request), apiKey: input.apiKey, draw: input.draw };
  const named = version === null ? null : targetsOfPolicy(version, caller);
  if (named !== null || model === undefined) return named;
  const routes = routesOf(input.catalog, model.name);
  // A name that nothing offers is no model to a caller, as `GET /v1/models` has it.
  if (routes.length === 0) return null;
  return targetsOfModel(
    model,
    inGroupOrder(routes, input, () => true),
  );
}

/** `safety_identifier` took the place of `user`; old clients still send that (WIRE §2). */
function userOf({ body }: ChatRequest): string | null {
  const user = body.safety_identifier ?? body.user;
  return typeof user === 'string' ? user : null;
}
