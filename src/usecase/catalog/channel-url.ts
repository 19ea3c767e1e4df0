import { reachOfHost } from './host-reach';

/** Whether channels may point into loopback and private networks, as a model server next door needs it (DESIGN §12). */
export type PrivateUrls = 'allowed' | 'refused';

/** What is wrong with a channel's base URL; null: nothing. The text itself is not repeated: it may hold a credential. */
export function channelUrlFault(text: string, privateUrls: PrivateUrls): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) return 'must be an absolute URL';
  return shapeFault(url, text) ?? reachFault(url.hostname, privateUrls);
}

function shapeFault(url: URL, text: string): string | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must be an http or https URL';
  if (url.username !== '' || url.password !== '') return 'must not hold credentials; use credential_ref';
  return text.includes('?') || text.includes('#') ? 'must not have a query or a fragment' : null;
}

function reachFault(hostname: string, privateUrls: PrivateUrls): string | null {
  const reach = reachOfHost(hostname);
  if (reach === 'never') return 'must not point at a link-local, metadata, multicast or unspecified address';
  if (reach === 'public' || privateUrls === 'allowed') return null;
  return 'must not point at a loopback or private address, unless the operator allows private channel URLs';
}
