import { createHash } from 'node:crypto';
import type { PoolClient, QueryConfig, QueryResult } from 'pg';

type Answers = readonly PromiseSettledResult<QueryResult>[];

/**
 * Sends all statements without waiting in between (the pool has `pipeline`), and with one system call: their answers come in
 * one round trip. Those with parameters are parsed and planned once a connection, which else is half of what they cost the
 * server.
 */
export function roundTrip(client: PoolClient, statements: readonly QueryConfig[]): Promise<Answers> {
  const { stream } = client.connection;
  stream.cork();
  try {
    return Promise.allSettled(statements.map((statement) => client.query(prepared(statement))));
  } finally {
    stream.uncork();
  }
}

/** The server knows a planned statement by its name. Ours are few: one for each kind of row. */
function prepared(statement: QueryConfig): QueryConfig {
  const { text, values } = statement;
  return values === undefined
    ? statement
    : { ...statement, name: createHash('sha1').update(text).digest('hex') };
}

/** The first failure, which is the reason for all later ones; null: there was none. */
export function failureIn(answers: Answers): Readonly<{ reason: unknown }> | null {
  for (const answer of answers) if (answer.status === 'rejected') return { reason: answer.reason as unknown };
  return null;
}

/**
 * How a transaction ended whose last statement was `commit`. `unknown`: the answer was lost, and the commit may have been
 * made. PostgreSQL answers `ROLLBACK` to the commit of a transaction in which a statement failed.
 */
export function endingOf(answers: Answers): 'committed' | 'rolled_back' | 'unknown' {
  const last = answers.at(-1);
  if (last?.status !== 'fulfilled') return 'unknown';
  return last.value.command === 'COMMIT' ? 'committed' : 'rolled_back';
}

/** Rows of our own tables, whose shape is taken on trust. */
export function rowsOf<Row>(answer: Answers[number] | undefined): readonly Row[] {
  return answer?.status === 'fulfilled' ? (answer.value.rows as Row[]) : [];
}
