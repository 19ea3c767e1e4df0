import type { MicroUsd } from '../../domain/kernel/money';
import type { DrillResult } from '../../usecase/drill/rehearse-policies';
import { shownScene, type ShownAttempt, type ShownScene } from './drill-scene';

/** Fits a terminal of 100 columns. */
const WIDTH = 100;
const LABEL = 12;
const VERDICTS: Readonly<Record<DrillResult['verdict'], string>> = {
  passed: 'PASS',
  failed: 'FAIL',
  left_out: 'SKIP',
};

/** One result as a block of text, without colours: it reads the same in a terminal and in a log. */
export function resultText(result: DrillResult): string {
  const { drill, defect, rehearsal, verdict } = result;
  const lines = [`${VERDICTS[verdict]}  ${drill.padEnd(24)} ${policyText(result)}`];
  if (defect !== null) lines.push(...labelled('differs', `the drill could not be performed: ${defect}`));
  if (rehearsal?.kind === 'left_out') lines.push(...labelled('because', rehearsal.because));
  if (rehearsal?.kind === 'rehearsed') {
    lines.push(...rehearsal.scenes.flatMap((scene) => sceneLines(shownScene(scene))));
  }
  return `${lines.join('\n')}\n`;
}

export function policyText({ policy, version, side }: DrillResult): string {
  return `${policy} (version ${version}${side === 'canary' ? ', drawn for its canary' : ''})`;
}

export function summaryText(results: readonly DrillResult[]): string {
  const count = (verdict: DrillResult['verdict']): number =>
    results.filter((result) => result.verdict === verdict).length;
  const failed = results.filter(({ verdict }) => verdict === 'failed');
  const names = failed.map((result) => `  ${result.drill} on ${policyText(result)}\n`).join('');
  return `${count('passed')} passed, ${count('failed')} failed, ${count('left_out')} skipped\n${names}`;
}

function sceneLines(scene: ShownScene): readonly string[] {
  const { expected, happened, attempts, costMicroUsd, differences } = scene;
  return [
    ...labelled('expected', expected),
    ...labelled('happened', happened),
    ...attempts.map((attempt, index) => line(index === 0 ? 'attempts' : '', attemptText(attempt))),
    line('cost', costMicroUsd === null ? 'none on record' : `${usd(costMicroUsd)} USD`),
    ...differences.flatMap((difference) => labelled('DIFFERS', difference)),
  ];
}

function attemptText({ number, provider, model, action, outcome, status, waitMs }: ShownAttempt): string {
  const end = status === null ? outcome : `${outcome} ${status}`;
  const columns = [String(number), provider.padEnd(10), model.padEnd(18), action.padEnd(16), end.padEnd(18)];
  return `${columns.join(' ')} wait ${waitMs} ms`;
}

const MICRO_DIGITS = 6;

/** Whole micro-USD as dollars; never by a float, which would round. */
export function usd(micro: MicroUsd): string {
  const digits = String(micro).padStart(MICRO_DIGITS + 1, '0');
  return `${digits.slice(0, -MICRO_DIGITS)}.${digits.slice(-MICRO_DIGITS)}`;
}

function labelled(label: string, text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    const fits = last !== undefined && LABEL + 6 + last.length + 1 + word.length <= WIDTH;
    if (fits) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((part, index) => line(index === 0 ? label : '', part));
}

function line(label: string, text: string): string {
  return `      ${label.padEnd(LABEL)}${text}`;
}
