/** What the audit records of 1,000 interactions a second cost, on each store: the product's stores, without the rest of it. */
import { join } from 'node:path';
import { createDatabase, dropDatabase, postgresServer } from './database.mjs';
import { START_FLAGS } from './gateway.mjs';
import { CORE, says, start } from './processes.mjs';

const PER_SECOND = 1_000;
/** Issue 6: less than a quarter of a core. */
export const AUDIT_ALLOWANCE = 0.25;

/** @returns by store: the share of a core that writing took, that of the clockwork around it, and how many interactions a second were written */
export async function auditFigures({ dist, work, quick }) {
  const seconds = quick ? 1 : 8;
  const figures = [
    { store: 'SQLite', ...(await writer({ dist, dataDir: join(work, 'audit-sqlite', 'data'), seconds })) },
  ];
  const server = await postgresServer();
  if (server === null) return figures;
  const name = `bench_audit_${process.pid}`;
  const env = { DATABASE_URL: await createDatabase(server, name) };
  try {
    const dataDir = join(work, 'audit-postgres', 'data');
    figures.push({ store: 'PostgreSQL', ...(await writer({ dist, dataDir, seconds, env })) });
  } finally {
    await dropDatabase(server, name);
  }
  return figures;
}

async function writer({ dist, dataDir, seconds, env }) {
  const args = [
    ...START_FLAGS,
    join(import.meta.dirname, 'audit-writer.mjs'),
    dist,
    dataDir,
    String(PER_SECOND),
    String(seconds),
  ];
  const [line] = await says(start({ core: CORE.measured, args, env }), /\{.*\}/);
  return JSON.parse(line);
}
