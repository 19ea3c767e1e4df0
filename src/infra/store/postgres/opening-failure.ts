import type { SecretUrl } from '../../config/secret-url';
import { errorFactsOf } from '../error-facts';

type Explanation = (place: string, message: string) => string;

/** What a server says when it takes no connection or no migration, for the operator (PostgreSQL, appendix A). */
const BY_CODE: ReadonlyMap<string, Explanation> = new Map([
  ['28P01', (place) => `${place} refuses the user or the password of DATABASE_URL.`],
  ['28000', (place, message) => `${place} refuses the user of DATABASE_URL: ${message}.`],
  ['3D000', (place) => `${place} does not exist. Create that database, or correct DATABASE_URL.`],
  [
    '53300',
    (place) => `${place} takes no more connections. Raise its max_connections, or lower DATABASE_POOL_SIZE.`,
  ],
  ['57P03', (place, message) => `${place} is not ready yet: ${message}.`],
  [
    '42501',
    (place, message) =>
      `The user of DATABASE_URL may not make tables in ${place} (${message}). Make it the owner of the database.`,
  ],
]);

const UNREACHABLE =
  /^E(CONNREFUSED|CONNRESET|NOTFOUND|AI_AGAIN|TIMEDOUT|HOSTUNREACH|NETUNREACH|PIPE)$|^ENOENT$/;
/** A certificate or a key that the URL names. Its message says which. */
const NO_FILE = /, open '/;
const NO_ANSWER = /timeout|terminated/i;
const NO_PASSWORD = /password must be a string/;

/** Why it could not be opened, in a sentence that says what to do. It never repeats a credential. */
export function openingFailure(url: SecretUrl, error: unknown): string {
  const { code, message } = errorFactsOf(error);
  const place = String(url);
  const known = BY_CODE.get(code);
  if (known !== undefined) return known(place, message);
  if (UNREACHABLE.test(code) && !NO_FILE.test(message)) {
    return `${place} can't be reached (${code}). Is the server running, and are host and port of DATABASE_URL right?`;
  }
  if (NO_PASSWORD.test(message)) return `${place} asks for a password, and DATABASE_URL holds none.`;
  if (NO_ANSWER.test(message)) {
    return `${place} doesn't answer (${message}). Are host and port of DATABASE_URL right?`;
  }
  return `${place} can't be opened: ${message}`;
}
