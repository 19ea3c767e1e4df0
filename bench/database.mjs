/** The two databases as the scale bench fills them: plain SQL, since the product has no way to write a million records at once. */
import { createRequire } from 'node:module';
import { cpSync, mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

const require = createRequire(import.meta.url);

/** A copy of a folder that holds an embedded store. */
export function sqliteCopy(template, work) {
  const dataDir = join(mkdtempSync(join(work, 'sqlite-')), 'data');
  cpSync(template, dataDir, { recursive: true });
  const Sqlite = require('better-sqlite3');
  const open = () => new Sqlite(join(dataDir, 'schneeai.db'));
  return {
    dataDir,
    env: {},
    rows: 'with recursive n(i) as (values (1) union all select i + 1 from n where i < :count)',
    numbers: 'n',
    settle: ['analyze'],
    withConnection: async (work) => {
      const connection = open();
      try {
        return await work({
          columns: async (table) => connection.pragma(`table_info(${table})`).map(({ name }) => name),
          run: async (sql, values) => void connection.prepare(sql).run(values),
        });
      } finally {
        connection.close();
      }
    },
  };
}

/** A copy of a PostgreSQL database, made by the server; `remove` drops it. */
export async function postgresCopy(server, template, work) {
  const { Client } = require('pg');
  const name = `bench_scale_${process.pid}_${Math.floor(performance.now())}`;
  const url = await createDatabase(server, name, template);
  return {
    dataDir: join(mkdtempSync(join(work, 'postgres-')), 'data'),
    env: { DATABASE_URL: url },
    rows: '',
    numbers: 'generate_series(1, :count) as n(i)',
    // Or the server does both while pages are timed.
    settle: ['vacuum analyze', 'checkpoint'],
    withConnection: async (work) => {
      const client = new Client({ connectionString: url });
      await client.connect();
      try {
        return await work({
          columns: async (table) => {
            const { rows } = await client.query(
              'select column_name from information_schema.columns where table_name = $1 order by ordinal_position',
              [table],
            );
            return rows.map(({ column_name }) => column_name);
          },
          run: async (sql, values) => {
            const names = Object.keys(values);
            const text = names.reduce((sofar, key, at) => sofar.replaceAll(`:${key}`, `$${at + 1}`), sql);
            await client.query(text, Object.values(values));
          },
        });
      } finally {
        await client.end();
      }
    },
    remove: () => dropDatabase(server, name),
  };
}

/** Where there is one: TEST_PG_URL, or 127.0.0.1:5432; else null. */
export async function postgresServer() {
  if (process.env.TEST_PG_URL !== undefined) return process.env.TEST_PG_URL;
  const answers = await new Promise((resolve) => {
    const socket = connect(5432, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.unref();
  });
  return answers ? 'postgres://postgres@127.0.0.1:5432/postgres' : null;
}

/** The server of each database that was created and is still there. */
const serverOf = new Map();

/** @param template the database to copy; without one it is empty */
export async function createDatabase(server, name, template = 'template1') {
  serverOf.set(name, server);
  await asAdmin(server, (client) => client.query(`create database ${name} template ${template}`));
  return databaseUrl(server, name);
}

export async function dropDatabase(server, name) {
  await asAdmin(server, (client) => client.query(`drop database if exists ${name} with (force)`));
  serverOf.delete(name);
}

/** Ends the bench; no database of its outlives it. */
export async function end(status) {
  for (const [name, server] of serverOf) await dropDatabase(server, name).catch(() => undefined);
  process.exit(status);
}

export function fail(error) {
  process.stderr.write(`${error.stack}\n`);
  return end(2);
}

async function asAdmin(server, work) {
  const { Client } = require('pg');
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function databaseUrl(server, name) {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/**
 * Copies one row of a table `count` times, with some of its columns changed.
 * @param {{ table: string, like: string, count: number, change: Record<string, string> }} options `like`: a condition that
 * finds the row; `change`: SQL expressions by column, in which `n.i` counts from 1
 */
export async function multiply(connection, database, { table, like, count, change }) {
  const columns = await connection.columns(table);
  const values = columns.map((column) => change[column] ?? `t.${quoted(column)}`);
  await connection.run(
    `${insertOf(database, table, columns)} select ${values.join(', ')} from ${table} t cross join ${database.numbers} where ${like}`,
    { count },
  );
}

/** SQLite wants its series before the insert. */
const insertOf = ({ rows }, table, columns) =>
  `${rows} insert into ${table} (${columns.map(quoted).join(', ')})`.trim();

const quoted = (column) => `"${column}"`;
