import type { IncomingHttpHeaders } from 'node:http';
import { callerOptionsOf } from '../../../../src/delivery/http/chat/caller-options';

const NOTHING = {
  timeoutMs: null,
  forbidsReplay: false,
  idempotencyKey: null,
  service: null,
  feature: null,
  parentRequestId: null,
  clientRetryCount: null,
};

const optionsOf = (headers: IncomingHttpHeaders) => {
  const result = callerOptionsOf(headers);
  return result.ok ? result.value : result.error;
};

const refusal = (param: string, expected: string) => ({
  code: 'invalid_request_error',
  reason: 'invalid_value',
  param,
  message: `The header '${param}' must be ${expected}.`,
});

describe('caller options', () => {
  it('are all unset without headers', () => {
    expect(optionsOf({})).toEqual(NOTHING);
  });

  it.each<[name: string, value: string]>([
    ['x-schneeai-timeout', '5'],
    ['x-schneeai-provider', 'openai'],
    ['openai-organization', 'org-other'],
    ['openai-project', 'proj_other'],
    ['openai-beta', 'assistants=v2'],
    ['anthropic-version', '2023-06-01'],
    ['anthropic-beta', 'all'],
    ['accept', 'text/event-stream'],
    ['x-base-url', 'http://127.0.0.1:9'],
    ['x-stainless-lang', 'js'],
    ['cookie', 'a=b'],
    ['x-forwarded-for', '10.0.0.1'],
  ])('are not set by %s', (name, value) => {
    expect(optionsOf({ [name]: value })).toEqual(NOTHING);
  });

  describe('x-schneeai-timeout-ms', () => {
    const EXPECTED = 'a whole number of milliseconds from 1 to 999999999';

    it.each([
      ['1', 1],
      [' 30000 ', 30_000],
      ['007', 7],
      ['999999999', 999_999_999],
    ])('%j is %i ms', (value, timeoutMs) => {
      expect(optionsOf({ 'x-schneeai-timeout-ms': value })).toEqual({ ...NOTHING, timeoutMs });
    });

    // Sent twice, Node joins both values.
    it.each([
      ['0'],
      ['-1'],
      ['1.5'],
      ['1e3'],
      ['30s'],
      [''],
      ['５'],
      ['0x10'],
      ['1000, 2000'],
      ['1000000000'],
      ['9'.repeat(9_000)],
    ])('%j is refused', (value) => {
      expect(optionsOf({ 'x-schneeai-timeout-ms': value })).toEqual(
        refusal('x-schneeai-timeout-ms', EXPECTED),
      );
    });
  });

  describe('idempotency-key', () => {
    it.each([
      ['k', 'k'],
      [' order-2026-11-30 ', 'order-2026-11-30'],
      ['"8e03978e-40d5-43dd-bc93-6894a57f9324"', '"8e03978e-40d5-43dd-bc93-6894a57f9324"'],
      ['!~', '!~'],
      ['x'.repeat(255), 'x'.repeat(255)],
    ])('%j is the key %s', (value, idempotencyKey) => {
      expect(optionsOf({ 'idempotency-key': value })).toEqual({ ...NOTHING, idempotencyKey });
    });

    // Sent twice, Node joins both values.
    it.each([[''], ['  '], ['a b'], ['one, two'], ['x'.repeat(256)], ['schlüssel'], ['a\tb'], ['\x7f']])(
      '%j is refused',
      (value) => {
        const expected = '1 to 255 visible ASCII characters';
        expect(optionsOf({ 'idempotency-key': value })).toEqual(refusal('idempotency-key', expected));
      },
    );
  });

  describe('x-schneeai-replay', () => {
    it.each([
      ['never', true],
      ['allowed', false],
    ])('%s', (value, forbidsReplay) => {
      expect(optionsOf({ 'x-schneeai-replay': value })).toEqual({ ...NOTHING, forbidsReplay });
    });

    it.each([['Never'], ['no'], [''], ['never, never'], ['x'.repeat(9_000)]])('%j is refused', (value) => {
      expect(optionsOf({ 'x-schneeai-replay': value })).toEqual(
        refusal('x-schneeai-replay', `'never' or 'allowed'`),
      );
    });
  });

  describe.each([
    ['x-schneeai-service', 'service'],
    ['x-schneeai-feature', 'feature'],
  ])('%s', (name, option) => {
    it.each([
      ['billing', 'billing'],
      [' nightly batch ', 'nightly batch'],
      ['x'.repeat(128), 'x'.repeat(128)],
      ['a, b', 'a, b'],
      ['', null],
      ['x'.repeat(129), null],
      ['caf\u00e9', null],
      ['a\tb', null],
      ['a\u0000b', null],
    ])('%j is the label %j', (value, label) => {
      expect(optionsOf({ [name]: value })).toEqual({ ...NOTHING, [option]: label });
    });
  });

  describe('correlation', () => {
    it.each([
      ['req_01HQ:a.b-c', 'req_01HQ:a.b-c'],
      ['x'.repeat(128), 'x'.repeat(128)],
      ['x'.repeat(129), null],
      ['', null],
      ['a b', null],
      ['a, b', null],
      ['"quoted"', null],
      ['a\u001b[31mb', null],
    ])('%j is kept as %j', (value, parentRequestId) => {
      expect(optionsOf({ 'x-request-id': value })).toEqual({ ...NOTHING, parentRequestId });
      expect(optionsOf({ 'x-client-request-id': value })).toEqual({ ...NOTHING, parentRequestId });
    });

    it('is the client request id where both are well formed', () => {
      expect(optionsOf({ 'x-client-request-id': 'client', 'x-request-id': 'proxy' })).toMatchObject({
        parentRequestId: 'client',
      });
    });

    it('is the request id where the client request id is not well formed', () => {
      expect(optionsOf({ 'x-client-request-id': 'a b', 'x-request-id': 'proxy' })).toMatchObject({
        parentRequestId: 'proxy',
      });
    });
  });

  describe('what SDKs send', () => {
    it.each([
      ['0', 0],
      ['2', 2],
      ['-1', null],
      ['two', null],
      ['1, 1', null],
      ['9'.repeat(30), null],
    ])('x-stainless-retry-count %j is %j', (value, clientRetryCount) => {
      expect(optionsOf({ 'x-stainless-retry-count': value })).toEqual({ ...NOTHING, clientRetryCount });
    });

    it.each([
      ['600', 600_000],
      ['1', 1_000],
      ['0', null],
      ['0.5', null],
      ['NaN', null],
      ['60, 60', null],
    ])('x-stainless-timeout %j is %j ms', (value, timeoutMs) => {
      expect(optionsOf({ 'x-stainless-timeout': value })).toEqual({ ...NOTHING, timeoutMs });
    });

    it('gives way to our own timeout', () => {
      expect(optionsOf({ 'x-stainless-timeout': '600', 'x-schneeai-timeout-ms': '5000' })).toMatchObject({
        timeoutMs: 5_000,
      });
    });
  });
});
