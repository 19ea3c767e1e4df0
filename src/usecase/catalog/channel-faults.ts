import type { Catalog } from '../../domain/catalog/catalog';
import type { Channel } from '../../domain/catalog/channel';
import type { Problem } from '../../domain/error/gateway-error';
import type { PrivateUrls } from './channel-url';
import { channelUrlFault } from './channel-url';

/** Where a credential is; a path goes no way back up, and the gateway's own variables are nobody's credential. */
const CREDENTIAL_REF =
  /^(?:env:(?!SCHNEEAI_)[A-Za-z_][A-Za-z0-9_]*|file:\/(?!.*(?:^|\/)\.\.(?:\/|$))[^\0]+)$/;

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
const HEADER_VALUE = /^[\x20-\x7e]*$/;

/** Headers that carry credentials (which come by `credential_ref` only) or belong to the connection. */
const RESERVED_HEADERS: readonly string[] = [
  ...['authorization', 'x-api-key', 'api-key', 'cookie', 'proxy-authorization'],
  ...[
    'host',
    'content-length',
    'content-type',
    'connection',
    'transfer-encoding',
    'upgrade',
    'te',
    'trailer',
  ],
];

/** Everything that is wrong with a channel. No message repeats a value that may be a secret. */
export function channelFaults(channel: Channel, catalog: Catalog, privateUrls: PrivateUrls): Problem[] {
  const problems: Problem[] = [];
  if (!catalog.providers.has(channel.provider)) {
    problems.push({ field: 'provider', message: `there is no provider '${channel.provider}'` });
  }
  const urlFault = channelUrlFault(channel.baseUrl, privateUrls);
  if (urlFault !== null) problems.push({ field: 'base_url', message: urlFault });
  if (!CREDENTIAL_REF.test(channel.credentialRef)) {
    problems.push({
      field: 'credential_ref',
      message: "must be 'env:NAME' (not SCHNEEAI_…) or 'file:/path', never a secret itself",
    });
  }
  return [...problems, ...headerFaults(channel.options.headers)];
}

function headerFaults(headers: Readonly<Record<string, string>>): Problem[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const message = headerFault(name, value);
    return message === null ? [] : [{ field: `options.headers.${name}`, message }];
  });
}

function headerFault(name: string, value: string): string | null {
  if (!HEADER_NAME.test(name)) return 'is not a header name';
  if (RESERVED_HEADERS.includes(name.toLowerCase())) return 'is a header that the gateway sets itself';
  return HEADER_VALUE.test(value) ? null : 'must be printable ASCII';
}
