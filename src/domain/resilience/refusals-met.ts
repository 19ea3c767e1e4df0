import { refusalOf } from '../routing/gates';
import type { Refusal } from '../routing/refusal';
import type { RouteSearch } from './route-search';
import { failures } from './situation';
import type { Situation } from './situation';

/** One refusal per route: the newest wins, in the place of the earlier one. */
export function mergeRefusals(earlier: readonly Refusal[], later: readonly Refusal[]): readonly Refusal[] {
  const byRoute = new Map([...earlier, ...later].map((refusal) => [refusal.route.id, refusal]));
  return [...byRoute.values()];
}

/** What stood against which route, from planning until now. */
export function refusalsMet(situation: Situation, search: RouteSearch): readonly Refusal[] {
  const now = search.refused.map(({ refusal }) => refusal);
  return mergeRefusals(situation.plan.refusals, [...unexpressed(situation), ...now]);
}

/** A route that could not express the request is a contract mismatch, seen only when it was tried (FAILURES §5). */
function unexpressed({ ledger }: Situation): readonly Refusal[] {
  return failures(ledger)
    .filter(({ fault }) => fault.class === 'local')
    .map(({ route, fault }) =>
      refusalOf(route, {
        reason: 'contract_mismatch',
        param: fault.param ?? 'request',
        message: 'the route can not express it',
      }),
    );
}
