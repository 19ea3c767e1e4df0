import { sql, type Kysely } from 'kysely';
import { StoreUnavailable } from '../../../usecase/port/store-unavailable';
import type { StoreSchema } from '../schema';

/** The oldest that every test runs on. */
const MIN_MAJOR = 15;
const VERSIONS_PER_MAJOR = 10_000;

type Server = Readonly<{
  version_number: number;
  version: string;
  encoding: string;
  read_only: string;
}>;

/** Refuses a server that would fail later, in the middle of a request. `place` names it. */
export async function requireSupportedServer(db: Kysely<StoreSchema>, place: string): Promise<void> {
  const { rows } = await sql<Server>`
    select current_setting('server_version_num')::bigint as version_number,
      current_setting('server_version') as version, current_setting('server_encoding') as encoding,
      current_setting('transaction_read_only') as read_only`.execute(db);
  const problem = rows[0] === undefined ? null : problemOf(rows[0], place);
  if (problem !== null) throw new StoreUnavailable(problem);
}

/** Null: it can be used. */
export function problemOf(
  { version_number, version, encoding, read_only }: Server,
  place: string,
): string | null {
  if (version_number < MIN_MAJOR * VERSIONS_PER_MAJOR) {
    return `${place} is PostgreSQL ${version}; the gateway needs ${MIN_MAJOR} or newer.`;
  }
  // Any other could not keep what callers and providers may write.
  if (encoding !== 'UTF8')
    return `${place} has the encoding ${encoding}; the gateway needs a database in UTF8.`;
  if (read_only === 'on') return `${place} can only be read. DATABASE_URL must name the primary server.`;
  return null;
}
