import fc from 'fast-check';
import { classify, FAULT_CLASSES, STAGES } from '../../../src/domain/resilience/fault';
import type { Fault, Stage } from '../../../src/domain/resilience/fault';
import type { JsonValue } from '../../../src/domain/kernel/json';
import { NO_HINTS } from '../../../src/domain/resilience/signal';
import type { RetryHints, Signal } from '../../../src/domain/resilience/signal';
import { CODE_ROWS } from './code-rows';
import {
  ABORT_ROWS,
  AFTER_OUTPUT_ROWS,
  answered,
  MALFORMED_ROWS,
  NETWORK_ROWS,
  STATUS_ROWS,
} from './signal-rows';

const NOW_MS = 1_796_000_000_000;

function understand(signal: Signal, stage: Stage = 'before_headers'): Fault {
  return classify(signal, { stage, nowMs: NOW_MS });
}

function withHints(status: number, hints: Partial<RetryHints>, body: JsonValue | null = null): Signal {
  return { kind: 'provider_error', status, body, hints: { ...NO_HINTS, ...hints } };
}

describe('fault', () => {
  describe('of a status alone (FAILURES §3.1)', () => {
    it.each(STATUS_ROWS)('takes %i as %s, %s', (status, faultClass, note) => {
      const fault = understand(answered(status));

      expect(fault).toMatchObject({
        class: faultClass,
        status,
        retryable: note !== 'setup',
        accountEvidence: note === 'proof',
        requestSent: 'yes',
        providerError: { message: `The provider answered with HTTP status ${status} and no message.` },
      });
    });

    it.each([
      [501, 'setup'],
      [526, 'setup'],
      [529, 'overloaded'],
      [503, null],
      [301, 'unexpected_status'],
    ])('names %i by our word %s', (status, code) => {
      expect(understand(answered(status)).code).toBe(code);
    });
  });

  describe('of a code (FAILURES §3.2)', () => {
    const rows = CODE_ROWS.map(([name, status, body, faultClass, code, evidence]) => ({
      name,
      signal: answered(status, body),
      expected: { class: faultClass, code, accountEvidence: evidence === 'proof' },
    }));

    it.each(rows)('$name', ({ signal, expected }) => {
      expect(understand(signal)).toMatchObject(expected);
    });

    it('takes an in-flight budget of OpenRouter as a rate limit when it names the wait', () => {
      const body = { error: { code: 402, metadata: { limit_source: 'openrouter_in_flight_budget' } } };

      const fault = understand(withHints(402, { retryAfter: '2' }, body));

      expect(fault).toMatchObject({ class: 'rate_limited', retryAfterMs: 2_000, accountEvidence: false });
    });

    it.each([
      ['named by the body', { error: { code: 503 } }, 503],
      ['that a known type stands for', { error: { type: 'overloaded_error' } }, 529],
      ['that a documented sentence stands for', { error: { message: 'prompt is too long: 9' } }, 400],
      ['of HTTP, where nothing tells', { error: { message: 'hm' } }, 200],
    ])('has the effective status %s', (_name, body, status) => {
      expect(understand(answered(200, body)).status).toBe(status);
    });

    it('keeps what the provider said, in the shape of OpenAI', () => {
      const body = {
        error: { message: 'no n', type: 'invalid_request_error', code: 'unsupported_parameter', param: 'n' },
      };

      const fault = understand(answered(400, body));

      expect(fault.providerError).toEqual(body.error);
      expect(fault.param).toBe('n');
    });

    it.each<[string, JsonValue, string]>([
      ['text in `error`', { error: 'plain' }, 'plain'],
      ['text in `detail`', { detail: 'plain' }, 'plain'],
      ['an object in `detail`', { detail: { message: 'plain' } }, 'plain'],
      ['text in `message`', { message: 'plain' }, 'plain'],
      ['JSON text around a text', { error: '{"message":"plain"}' }, 'plain'],
      ['text that only looks like JSON', { error: '{plain' }, '{plain'],
    ])('reads the message from %s', (_name, body, message) => {
      expect(understand(answered(400, body)).providerError?.message).toBe(message);
    });

    it.each<[string, JsonValue]>([
      ['an empty array', []],
      ['an array of texts', ['x']],
      ['a number', 7],
      ['an object without an error', { id: 1 }],
    ])('goes by the status when the body is %s', (_name, body) => {
      expect(understand(answered(503, body))).toMatchObject({ class: 'server_error', code: null });
    });
  });

  describe('with x-should-retry', () => {
    it('is never retried on the route after false, whatever its class', () => {
      expect(understand(withHints(503, { shouldRetry: 'false' })).retryable).toBe(false);
    });

    it('is not made retryable by true', () => {
      expect(understand(withHints(501, { shouldRetry: 'true' })).retryable).toBe(false);
      expect(understand(withHints(529, { shouldRetry: 'true' })).retryable).toBe(true);
    });
  });

  describe('without an HTTP answer (FAILURES §3.3)', () => {
    it.each(NETWORK_ROWS)('takes %s as %s, sent: %s, %s', (code, faultClass, sent, again) => {
      const fault = understand({ kind: 'network', code });

      expect(fault).toMatchObject({
        class: faultClass,
        code,
        requestSent: sent,
        retryable: again === 'retryable',
      });
      expect(fault.status).toBeNull();
    });

    it('knows after the headers that the request was sent', () => {
      expect(understand({ kind: 'network', code: 'ECONNRESET' }, 'before_output').requestSent).toBe('yes');
    });
  });

  describe('that we caused (FAILURES §2.1)', () => {
    it.each(ABORT_ROWS)('takes %s as %s, %s', (by, faultClass, again) => {
      const fault = understand({ kind: 'aborted', by });

      expect(fault).toMatchObject({
        class: faultClass,
        code: by,
        abortedBy: by,
        retryable: again === 'retryable',
      });
    });

    it('takes what a route can not express as local and unsent', () => {
      const fault = understand({
        kind: 'local',
        cause: 'untranslatable',
        param: 'audio',
        message: 'no audio',
      });

      expect(fault).toMatchObject({
        class: 'local',
        code: 'untranslatable',
        param: 'audio',
        requestSent: 'no',
      });
    });
  });

  it('tells a credential that is not there from a defect of ours', () => {
    const message = 'the credential env:KEY is not set';

    const fault = understand({ kind: 'local', cause: 'no_credential', param: null, message });

    expect(fault).toMatchObject({ class: 'local', code: 'no_credential', requestSent: 'no' });
  });

  describe('that we found in the request (WIRE §1.3)', () => {
    it('takes what is wrong on any route as the error of the caller, unsent, in our words', () => {
      const message = 'n must be a whole number from 1 to 128';

      const fault = understand({ kind: 'local', cause: 'rejected', param: 'n', message });

      expect(fault).toMatchObject({
        class: 'caller',
        code: 'invalid_value',
        status: 400,
        requestSent: 'no',
        param: 'n',
        providerError: { message, type: 'invalid_request_error', code: 'invalid_value', param: 'n' },
      });
    });
  });

  it('takes what is wrong on any route as the fault of the caller, although nobody was asked', () => {
    const fault = understand({ kind: 'local', cause: 'rejected', param: 'n', message: 'n is too large' });

    expect(fault).toMatchObject({
      class: 'caller',
      code: 'invalid_value',
      status: 400,
      requestSent: 'no',
      param: 'n',
      providerError: {
        message: 'n is too large',
        type: 'invalid_request_error',
        code: 'invalid_value',
        param: 'n',
      },
    });
  });

  describe('of an answer that is none (FAILURES §3.4)', () => {
    it.each(MALFORMED_ROWS)('takes %s as malformed', (what) => {
      expect(understand({ kind: 'malformed', what }, 'before_output')).toMatchObject({
        class: 'malformed',
        code: what,
      });
    });

    it('takes a stream that ends early as malformed before output', () => {
      expect(understand({ kind: 'truncated' }, 'before_output').class).toBe('malformed');
    });

    it.each(['error', 'insufficient_system_resource'])(
      'takes the finish reason %s as server error',
      (finishReason) => {
        const fault = understand({ kind: 'failing_finish', finishReason }, 'before_output');

        expect(fault).toMatchObject({ class: 'server_error', code: finishReason });
      },
    );

    it('takes a paused turn with tools of the provider as ambiguous', () => {
      expect(understand({ kind: 'side_effects_unknown', detail: 'pause_turn' }, 'before_output').class).toBe(
        'ambiguous',
      );
    });
  });

  describe('after output (FAILURES §5, row 10)', () => {
    const SIGNALS: Readonly<Record<string, Signal>> = {
      server_error: answered(503),
      rate_limited: answered(429),
      credential: answered(429, { error: { code: 'insufficient_quota' } }),
      caller: answered(400),
      contract: answered(413),
      network: { kind: 'network', code: 'ECONNRESET' },
      'idle timeout': { kind: 'aborted', by: 'idle_timeout' },
      truncated: { kind: 'truncated' },
      garbage: { kind: 'malformed', what: 'bad_frame' },
      'failing finish': { kind: 'failing_finish', finishReason: 'error' },
      refusal: answered(400, { error: { code: 'content_filter' } }),
      'caller gone': { kind: 'aborted', by: 'caller_gone' },
      'side effects': { kind: 'side_effects_unknown', detail: 'pause_turn' },
      'our defect': { kind: 'local', cause: 'defect', param: null, message: '-' },
    };

    it.each(AFTER_OUTPUT_ROWS)('a %s is %s with the code %s', (what, faultClass, code) => {
      const signal = SIGNALS[what] ?? answered(0);

      expect(understand(signal, 'after_output')).toMatchObject({
        class: faultClass,
        code,
        requestSent: 'yes',
      });
    });
  });

  it('understands any status and any body without failing', () => {
    const anything = fc.record({
      status: fc.integer({ min: 100, max: 700 }),
      body: fc.jsonValue(),
      wrap: fc.constantFrom('none', 'error', 'detail', 'message'),
      retryAfter: fc.option(fc.string()),
      stage: fc.constantFrom(...STAGES),
    });

    fc.assert(
      fc.property(anything, ({ status, body, wrap, retryAfter, stage }) => {
        const wrapped = wrap === 'none' ? body : { [wrap]: body };

        const fault = understand(withHints(status, { retryAfter }, wrapped), stage);

        expect(FAULT_CLASSES).toContain(fault.class);
        expect(fault.retryAfterMs ?? 1).toBeGreaterThan(0);
        expect(stage === 'after_output' && fault.class === 'server_error').toBe(false);
      }),
    );
  });
});
