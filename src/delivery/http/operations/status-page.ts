import type { SuccessPercent } from '../../../domain/health/observed-success';
import type { Status } from '../../../usecase/health/read-status';
import { rfc3339 } from '../admin/instant';

/** Said of everything that comes from simulated providers. */
export type StatusLabel = Readonly<{ sandbox: boolean }>;

/** Below it an hour is shown as bad: one call in twenty failed. */
const BAD_BELOW_PERCENT = 95;
/** Below it as a little worse than it should be. */
const FAIR_BELOW_PERCENT = 99.5;

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1b2733; background: #fff; }
table { border-collapse: collapse; width: 100%; } th, td { padding: .3rem .6rem; text-align: right; } th:first-child, td:first-child { text-align: left; }
th { font-weight: 600; border-bottom: 1px solid #c9d3dc; } .hours td { padding: 0; height: 1.6rem; border: 1px solid #fff; }
.good { background: #2e8b57; } .fair { background: #d9a400; } .bad { background: #c0392b; } .none { background: #dde4ea; }
.note { color: #566573; font-size: .875rem; } .sandbox { background: #fff4ce; padding: .4rem .8rem; }`;

/** The status as a page that needs neither a script nor anything else from anywhere. */
export function statusPage({ atMs, providers }: Status, { sandbox }: StatusLabel): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="60">
<title>Status of providers</title><style>${STYLE}</style></head>
<body>
<h1>Status of providers</h1>
${sandbox ? '<p class="sandbox">SANDBOX: these providers are simulated.</p>' : ''}
<p>Of the calls that this gateway made to a provider, the share that was answered. Rate limits and timeouts count as not answered; wrong requests don't count.</p>
<table><thead><tr><th scope="col">Provider</th><th scope="col">5 minutes</th><th scope="col">1 hour</th><th scope="col">24 hours</th></tr></thead>
<tbody>
${providers.map(windowsOf).join('\n')}
</tbody></table>
<h2>Hour by hour</h2>
${providers.map(hoursOf).join('\n')}
<p class="note">As of ${rfc3339(atMs)}. Hours are of UTC, the running one is on the right. Also as <a href="/status.json">JSON</a>.</p>
</body>
</html>
`;
}

type Provider = Status['providers'][number];

function windowsOf({ name, last5Minutes, lastHour, last24Hours }: Provider): string {
  const cells = [last5Minutes, lastHour, last24Hours].map((percent) => `<td>${wordsOf(percent)}</td>`);
  return `<tr><td>${escaped(name)}</td>${cells.join('')}</tr>`;
}

function hoursOf({ name, hours }: Provider): string {
  const cells = hours.map(({ fromMs, percent }) => {
    const words = `${rfc3339(fromMs).slice(11, 16)}: ${wordsOf(percent)}`;
    return `<td class="${classOf(percent)}" title="${words}" aria-label="${words}"></td>`;
  });
  return `<h3>${escaped(name)}</h3>\n<table class="hours"><tbody><tr>${cells.join('')}</tr></tbody></table>`;
}

function wordsOf(percent: SuccessPercent): string {
  return percent === null ? 'no traffic' : `${percent.toFixed(1)} %`;
}

function classOf(percent: SuccessPercent): string {
  if (percent === null) return 'none';
  if (percent < BAD_BELOW_PERCENT) return 'bad';
  return percent < FAIR_BELOW_PERCENT ? 'fair' : 'good';
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
