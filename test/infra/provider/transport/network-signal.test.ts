import { networkSignal } from '../../../../src/infra/provider/transport/network-signal';

const coded = (code: unknown, cause?: unknown): Error => Object.assign(new Error('x', { cause }), { code });

describe('network signal', () => {
  it.each<[string, unknown, string]>([
    ['an errno', coded('ECONNREFUSED'), 'ECONNREFUSED'],
    ['an undici code', coded('UND_ERR_CONNECT_TIMEOUT'), 'UND_ERR_CONNECT_TIMEOUT'],
    ['a parser code', coded('HPE_INVALID_CONSTANT'), 'HPE_INVALID_CONSTANT'],
    ['a TLS code', coded('DEPTH_ZERO_SELF_SIGNED_CERT'), 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    [
      'a nested cause',
      new Error('a', { cause: new TypeError('b', { cause: coded('ENOTFOUND') }) }),
      'ENOTFOUND',
    ],
    [
      'the attempts of a dual-stack connect',
      new AggregateError([new Error('a'), coded('ENETUNREACH')]),
      'ENETUNREACH',
    ],
    ['the outermost code first', coded('UND_ERR_SOCKET', coded('ECONNRESET')), 'UND_ERR_SOCKET'],
    ['a code that is none', coded('invalid_api_key', coded('EPIPE')), 'EPIPE'],
    ['a number for a code', coded(20), 'UNKNOWN'],
    ['an error without a code', new Error('boom'), 'UNKNOWN'],
    ['no error at all', undefined, 'UNKNOWN'],
  ])('reads %s', (_name, error, code) => {
    expect(networkSignal(error)).toEqual({ kind: 'network', code });
  });

  it('survives a cycle of causes', () => {
    const error = new Error('a');
    error.cause = error;

    expect(networkSignal(error).code).toBe('UNKNOWN');
  });
});
