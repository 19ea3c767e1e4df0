import type { IncomingHttpHeaders } from 'node:http';
import { identifyCaller } from '../../../../src/delivery/http/middleware/identify-caller';
import type { ApiKey } from '../../../../src/domain/tenant/api-key';

const NOW_MS = 1_000_000;

const key = (id: string, given: Partial<ApiKey> = {}): ApiKey => ({
  id,
  tenantId: 'acme',
  name: id,
  secretHash: `hash of ${id}`,
  hint: '',
  scopes: [],
  groups: [],
  groupStrategy: null,
  rpm: null,
  createdAtMs: 0,
  expiresAtMs: null,
  revokedAtMs: null,
  ...given,
});

const KEYS = [
  key('good'),
  key('other'),
  key('expiring', { expiresAtMs: NOW_MS + 1 }),
  key('expired', { expiresAtMs: NOW_MS }),
  key('revoked', { revokedAtMs: 5 }),
  key('x'.repeat(512)),
  key('x'.repeat(513)),
  key('good, good'),
];

const identified = (headers: IncomingHttpHeaders) => {
  const result = identifyCaller(headers, {
    configuration: { keyByHash: (hash) => KEYS.find(({ secretHash }) => secretHash === hash) },
    secrets: { hash: (secret) => `hash of ${secret}` },
    clock: { nowMs: () => NOW_MS },
  });
  return result.ok ? result.value.id : result.error;
};

const refused = (message: string) => ({ code: 'invalid_api_key', message });
const UNKNOWN = refused('The API key is not valid.');
const MALFORMED = refused("The authorization header must be 'Bearer ' and an API key.");
const ABSENT = refused("Send an API key as 'authorization: Bearer …'.");
const DIFFERENT = refused('The authorization and x-api-key headers name different keys.');

describe('identify caller', () => {
  it.each<[name: string, headers: IncomingHttpHeaders, id: string]>([
    ['a bearer', { authorization: 'Bearer good' }, 'good'],
    ['whatever the case of the scheme', { authorization: 'bEARER good' }, 'good'],
    ['with spaces around it', { authorization: 'Bearer   good  ' }, 'good'],
    ['x-api-key', { 'x-api-key': 'good' }, 'good'],
    ['both, if they agree', { authorization: 'Bearer good', 'x-api-key': 'good' }, 'good'],
    ['a key before its expiry', { authorization: 'Bearer expiring' }, 'expiring'],
    ['the longest secret', { authorization: `Bearer ${'x'.repeat(512)}` }, 'x'.repeat(512)],
  ])('accepts %s', (_name, headers, id) => {
    expect(identified(headers)).toBe(id);
  });

  it.each<[name: string, headers: IncomingHttpHeaders, error: object]>([
    ['nothing', {}, ABSENT],
    ['an empty x-api-key', { 'x-api-key': '' }, ABSENT],
    ['an unknown key', { authorization: 'Bearer nope' }, UNKNOWN],
    ['a key at its expiry', { authorization: 'Bearer expired' }, UNKNOWN],
    ['a revoked key', { authorization: 'Bearer revoked' }, UNKNOWN],
    ['a secret that is too long to be ours', { authorization: `Bearer ${'x'.repeat(513)}` }, UNKNOWN],
    ['an x-api-key that is too long to be ours', { 'x-api-key': 'x'.repeat(513) }, UNKNOWN],
    ['another case of the key', { authorization: 'Bearer Good' }, UNKNOWN],
    ['two keys', { authorization: 'Bearer good', 'x-api-key': 'other' }, DIFFERENT],
    ['two keys, one of them unknown', { authorization: 'Bearer good', 'x-api-key': 'nope' }, DIFFERENT],
    ['another scheme', { authorization: 'Basic Z29vZA==' }, MALFORMED],
    ['another scheme beside a good key', { authorization: 'Basic Z29vZA==', 'x-api-key': 'good' }, MALFORMED],
    ['no scheme', { authorization: 'good' }, MALFORMED],
    ['a scheme alone', { authorization: 'Bearer ' }, MALFORMED],
    ['an empty header', { authorization: '' }, MALFORMED],
    ['no space after the scheme', { authorization: 'Bearergood' }, MALFORMED],
    ['two words', { authorization: 'Bearer good good' }, MALFORMED],
    ['a list of keys', { authorization: 'Bearer good, good' }, MALFORMED],
    ['a control character', { authorization: 'Bearer good\u0000' }, MALFORMED],
    ['letters beyond ASCII', { authorization: 'Bearer g\u00f6\u00f6d' }, MALFORMED],
  ])('refuses %s', (_name, headers, error) => {
    expect(identified(headers)).toEqual(error);
  });
});
