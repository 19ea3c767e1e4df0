import type { Aftermath } from '../aftermath';
import { CANARY } from '../question';
import { invariant, type Invariant } from './invariant';

/** What was asked and answered, and all secrets, are in no log, no spool and no table. */
export async function nothingIsTold({ run, stage, tablesWith }: Aftermath): Promise<Invariant> {
  const logs = stage.gateways
    .flatMap(({ lives }) => lives)
    .map(({ end }) => `${end?.output}${end?.errors}`)
    .join('');
  const violations: string[] = [];
  for (const secret of [CANARY, ...stage.secrets]) {
    const name = secret === CANARY ? 'what was asked' : `${secret.slice(0, 8)}…`;
    if (logs.includes(secret)) violations.push(`${name} is in a log`);
    if (run.spool.text.includes(secret)) violations.push(`${name} is in a spool`);
    for (const table of await tablesWith(secret)) violations.push(`${name} is in ${table}`);
  }
  const figures = {
    'MB of logs': Math.round(logs.length / 1e6),
    'spool files': run.spool.files,
    'bytes of spool': run.spool.text.length,
    'secrets looked for': stage.secrets.length + 1,
  };
  return invariant('no prompt, answer or secret is kept', figures, violations);
}
