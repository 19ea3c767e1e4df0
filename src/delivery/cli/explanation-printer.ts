import type { FaultCourse } from '../../domain/resilience/fault-course';
import type { NextAction } from '../../domain/resilience/next-action';
import type { WorstCase } from '../../domain/resilience/worst-case';
import { costRatio } from '../../domain/routing/cost-ceiling';
import type { Plan } from '../../domain/routing/plan';
import type { PlannedRoute } from '../../domain/routing/planned-route';
import type { Explanation } from '../../usecase/routing/explanation';
import { presentErrorAlone } from '../http/error/error-presenter';
import { presentRefusalNumbers } from '../http/error/refusal-presenter';
import { usd } from './drill-printer';
import { textTable } from './text-table';

/** An explanation for people, without colours: it reads the same in a terminal and in a log. */
export function explanationText(explanation: Explanation): string {
  const { plan, first, faults, worstCase } = explanation;
  const sections = [
    `${plan.requestedModel}: ${policyText(plan)}\nBegins with: ${nextText(first)}`,
    `Routes\n${textTable(
      ['', 'offering', 'provider', 'model', 'relation', 'failover', 'cost', 'refused'],
      plan.candidates.map((candidate, index) => routeCells(candidate, index, plan)),
    )}`,
    piiText(plan),
    refusalsText(explanation),
    faults.length === 0
      ? null
      : `If the first route fails\n${textTable(['cause', 'retries', 'waits', 'then'], faults.map(faultCells))}`,
    `At worst\n  ${worstText(worstCase)}`,
  ];
  return `${sections.filter((section) => section !== null).join('\n\n')}\n`;
}

function policyText({ policy, canary }: Plan): string {
  if (policy === null) return 'no policy answers for it';
  return `policy ${policy.name}, version ${policy.version}${canary ? ', drawn for its canary' : ''}`;
}

function routeCells(candidate: PlannedRoute, index: number, plan: Plan): readonly string[] {
  const { route, relation, failover } = candidate;
  const refusal = plan.refusals.find((one) => one.route.id === route.id);
  return [
    String(index + 1),
    route.id,
    route.provider,
    route.model,
    relation,
    failover ? 'yes' : 'no',
    ratioText(candidate, plan),
    refusal?.detail.reason ?? '',
  ];
}

function ratioText({ route }: PlannedRoute, { primary }: Plan): string {
  const base = primary?.route.price ?? null;
  if (route.price === null || base === null) return 'unknown';
  const ratio = costRatio(base, route.price);
  return ratio === null ? 'not free' : `${Number(ratio.toPrecision(3))} x`;
}

/** What the sample request holds; nothing is said where no rule asks for it. */
function piiText({ pii }: Plan): string | null {
  if (pii === null) return null;
  const found = Object.entries(pii.findings.counts).map(([piiClass, count]) => `${piiClass} ${count}`);
  return `Personal data\n  ${found.length === 0 ? 'none found' : found.join(', ')}`;
}

function refusalsText({ first }: Explanation): string | null {
  if (first.refusals.length === 0) return null;
  const rows = first.refusals.map((refusal) => [
    refusal.route.id,
    refusal.detail.reason,
    JSON.stringify(presentRefusalNumbers(refusal.detail)),
  ]);
  return `Refused\n${textTable(['offering', 'reason', 'numbers'], rows)}`;
}

function faultCells({ cause, soonest, latest }: FaultCourse): readonly string[] {
  const [most, least] = [soonest.waitsMs.length, latest.waitsMs.length];
  const waits = soonest.waitsMs.map((minMs, index) => {
    const maxMs = latest.waitsMs[index] ?? minMs;
    return minMs === maxMs ? `${minMs} ms` : `${minMs}-${maxMs} ms`;
  });
  return [
    cause,
    most === least ? String(most) : `${least}-${most}`,
    waits.length === 0 ? '-' : waits.join(', '),
    nextText(soonest.then),
  ];
}

function nextText(next: NextAction): string {
  if (next.kind === 'attempt') {
    const { route } = next.candidate;
    const wait = next.delayMs === 0 ? '' : ` after ${next.delayMs} ms`;
    return `${next.action} to ${route.model} at ${route.provider} (${route.id})${wait}`;
  }
  if (next.error === null) return 'the end';
  const { status, code } = presentErrorAlone(next.error);
  return `${status} ${code}`;
}

function worstText({ attempts, cost, time }: WorstCase): string {
  const made = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  const price =
    cost.kind === 'known'
      ? `${usd(cost.costMicroUsd)} USD`
      : `cost unknown (${cost.reason}: ${cost.routes.map(({ id }) => id).join(', ')})`;
  return `${made}, ${price}, ${time.totalMs} ms until the first output (deadline ${time.deadlineMs} ms)`;
}
