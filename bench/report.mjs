import { cpus } from 'node:os';
import { AUDIT_ALLOWANCE } from './audit.mjs';
import { pinning } from './processes.mjs';
import { median, spread } from './statistics.mjs';

/** What issue 4 allows, microseconds. */
const MICRO_BUDGET_US = { conversation: 50, frame: 10 };
/** The request budget, as a multiple of the limit's CPU (PERFORMANCE). */
const REQUEST_BUDGET = 5;

export function verdictOf(figure, { samples }, { isJudged }) {
  const pairs = samples[figure.sample];
  const value = spread(pairs.map(figure.value));
  return {
    ...figure,
    limit: median(pairs.map(({ limit }) => limit)),
    gateway: median(pairs.map(({ gateway }) => gateway)),
    value,
    pairs: pairs.length,
    // Two short slices on whatever machine a check runs on are no measurement, and the targets are the embedded store's.
    verdict: isJudged ? judge(figure, value.median) : '',
  };
}

function judge({ must, goal, best }, value) {
  if (must === null) return '';
  const meets = (bound) => (best === 'low' ? value <= bound : value >= bound);
  if (meets(goal)) return 'goal';
  return meets(must) ? 'must' : 'MISSED';
}

export function printTable(figures, { quick, measured }) {
  const rows = figures.map(cellsOf);
  const heads = ['figure', 'limit', 'gateway', 'median [range]', 'must', 'goal', 'meets', 'pairs'];
  const table = markdown(heads, [...rows, ...failureRow(measured)]);
  const lines = [machine(), '', table, '', ...microLines(measured), ...auditLines(measured)];
  if (quick) lines.push('', 'Quick run: it shows that everything works, and says nothing about speed.');
  process.stdout.write(`${lines.join('\n')}\n`);
}

function cellsOf({ label, limit, gateway, value, unit, must, goal, verdict, pairs }) {
  const range = `${short(value.median)} ${unit} [${short(value.min)} – ${short(value.max)}]`;
  return [label, short(limit), short(gateway), range, must ?? '–', goal ?? '–', verdict, pairs].map(String);
}

function failureRow({ failures }) {
  const verdict = failures === 0 ? 'goal' : 'MISSED';
  return [['failed requests and streams', '', '', String(failures), '0', '0', verdict, '']];
}

function microLines({ micro, samples }) {
  if (samples.requestCpuUs === undefined) return [];
  const budgetUs = REQUEST_BUDGET * median(samples.requestCpuUs.map(({ limit }) => limit));
  const line = (what, us, allowed) =>
    `- ${what}: ${short(us)} µs (allowed ${allowed}), ${short((100 * us) / budgetUs)} % of the request budget of ${short(budgetUs)} µs`;
  return [
    line('translating a conversation of 20 messages', micro.conversationUs, MICRO_BUDGET_US.conversation),
    line('translating one frame of a stream', micro.frameUs, MICRO_BUDGET_US.frame),
  ];
}

function auditLines({ auditWrites = [] }) {
  return auditWrites.map(
    ({ store, coreShare, clockworkShare, perSecond }) =>
      `- audit records of ${short(perSecond)} interactions a second on ${store}: ${short(100 * coreShare)} % of a core (allowed ${100 * AUDIT_ALLOWANCE}), ${short(100 * clockworkShare)} % for the clockwork of the bench taken off`,
  );
}

const machine = () =>
  `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.versions.node}, ${pinning}`;

export function short(value) {
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en');
  return value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
}

export function markdown(heads, rows) {
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [line(heads), rule, ...rows.map(line)].join('\n');
}

export function printJson(figures, { quick, measured }) {
  const { micro, failures, auditWrites } = measured;
  const results = figures.map(({ label, sample, limit, gateway, value, must, goal, verdict, pairs }) => ({
    ...{ figure: sample, label, limit, gateway, ...value, must, goal, meets: verdict, pairs },
  }));
  process.stdout.write(
    `${JSON.stringify({ machine: machine(), quick, results, failures, micro, auditWrites }, null, 2)}\n`,
  );
}
