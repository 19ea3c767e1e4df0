import { SecretUrl } from './secret-url';

/** Where Redis is; as whom we speak to it, only `loginOf` tells. */
export type RedisAddress = Readonly<{
  url: SecretUrl;
  host: string;
  port: number;
  tls: boolean;
  database: number;
}>;

export type RedisLogin = Readonly<{ username?: string; password?: string }>;

export const REDIS_URL_FORM =
  'a URL such as redis://host:6379/0 or rediss://user:password@host:6379/0, without parameters; special characters of a password are percent-encoded';

const SCHEMES = ['redis:', 'rediss:'];
const DEFAULT_PORT = 6_379;
const DATABASE = /^\/?(\d{0,4})$/;

/** Null: it isn't of the form above. Parameters are refused: each client has its own, and one that we ignored could matter. */
export function redisAddressOf(text: string): RedisAddress | null {
  const url = SecretUrl.parse(text, SCHEMES);
  if (url === null) return null;
  const { protocol, hostname, port, pathname, search, hash, username, password } = new URL(url.reveal());
  const database = DATABASE.exec(pathname)?.[1];
  if (hostname === '' || port === '0' || database === undefined || search + hash !== '') return null;
  if (decoded(username) === null || decoded(password) === null) return null;
  return {
    url,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port) || DEFAULT_PORT,
    tls: protocol === 'rediss:',
    database: Number(database),
  };
}

/** What the client has to say first; nothing where the URL names nobody. */
export function loginOf({ url }: RedisAddress): RedisLogin {
  const { username, password } = new URL(url.reveal());
  return {
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
  };
}

/** Null: a percent sign in it escapes nothing. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
