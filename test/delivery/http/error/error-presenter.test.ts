import type { GatewayError } from '../../../../src/domain/error/gateway-error';
import type { Attempt } from '../../../../src/domain/interaction/attempt';
import type { Refusal, RefusalDetail } from '../../../../src/domain/routing/refusal';
import { presentError } from '../../../../src/delivery/http/error/error-presenter';
import { FAILED_ATTEMPT } from '../../../support/sample-attempt';
import { aPrice } from '../../../support/sample-catalog';

const refused = (detail: RefusalDetail): Refusal => ({
  route: { id: 'an', provider: 'anthropic', channel: 'ch-an', model: 'claude-s' },
  detail,
});

const CEILING = refused({
  reason: 'cost_ceiling',
  primaryPrice: aPrice(150_000, 600_000),
  fallbackPrice: aPrice(1_000_000, 5_000_000),
  ratio: 8.333333,
  ceiling: 5,
});

const present = (error: GatewayError, attempts: readonly Attempt[] = []) =>
  presentError(error, { requestId: 'req_1', attempts });

const PROVIDER_FAILED: GatewayError = {
  code: 'provider_failed',
  message: 'All failed.',
  retryAfterMs: null,
  refusals: [],
};

describe('an error', () => {
  it('has the shape of OpenAI’s, and nothing else where nothing else is known', () => {
    const { status, headers, body } = present({ code: 'model_not_found', model: 'gpt-x' });

    expect(status).toBe(404);
    expect(headers).toEqual({});
    expect(body).toEqual({
      error: {
        message: "The model 'gpt-x' does not exist, or this key may not use it.",
        type: 'invalid_request_error',
        code: 'model_not_found',
        param: 'model',
      },
      request_id: 'req_1',
    });
  });

  it.each<[string, GatewayError, number, string, string | null, string | null]>([
    [
      'an invalid value',
      { code: 'invalid_request_error', reason: 'invalid_value', param: 'n', message: 'm' },
      400,
      'invalid_request_error',
      'invalid_request_error',
      'n',
    ],
    [
      'an unsupported parameter',
      { code: 'invalid_request_error', reason: 'unsupported_parameter', param: 'tools', message: 'm' },
      400,
      'invalid_request_error',
      'unsupported_parameter',
      'tools',
    ],
    [
      'too long a context',
      { code: 'invalid_request_error', reason: 'context_length_exceeded', param: 'messages', message: 'm' },
      400,
      'invalid_request_error',
      'context_length_exceeded',
      'messages',
    ],
    [
      'a bad key',
      { code: 'invalid_api_key', message: 'm' },
      401,
      'authentication_error',
      'invalid_api_key',
      null,
    ],
    [
      'an empty wallet',
      { code: 'insufficient_balance', requiredMicroUsd: 2, availableMicroUsd: 1 },
      402,
      'insufficient_quota',
      'insufficient_balance',
      null,
    ],
    ['a missing scope', { code: 'forbidden', message: 'm' }, 403, 'permission_error', 'forbidden', null],
    ['nothing there', { code: 'not_found', message: 'm' }, 404, 'not_found_error', 'not_found', null],
    [
      'a conflict',
      { code: 'conflict', message: 'm', param: 'id' },
      409,
      'invalid_request_error',
      'conflict',
      'id',
    ],
    [
      'a running twin',
      { code: 'idempotency_in_progress', retryAfterMs: 1 },
      409,
      'invalid_request_error',
      'idempotency_in_progress',
      null,
    ],
    [
      'a lost update',
      { code: 'precondition_failed', message: 'm', currentVersion: 1 },
      412,
      'invalid_request_error',
      'precondition_failed',
      null,
    ],
    [
      'a large body',
      { code: 'payload_too_large', limitBytes: 9 },
      413,
      'invalid_request_error',
      'payload_too_large',
      null,
    ],
    [
      'a foreign media type',
      { code: 'unsupported_media_type', message: 'm' },
      415,
      'invalid_request_error',
      'unsupported_media_type',
      null,
    ],
    [
      'a document that can’t work',
      { code: 'unprocessable', problems: [{ field: 'f', message: 'm' }] },
      422,
      'invalid_request_error',
      'unprocessable',
      'f',
    ],
    [
      'a reused idempotency key',
      { code: 'idempotency_key_reused' },
      422,
      'invalid_request_error',
      'idempotency_key_reused',
      null,
    ],
    [
      'a rate limit',
      { code: 'rate_limit_exceeded', retryAfterMs: null, refusals: [] },
      429,
      'rate_limit_error',
      'rate_limit_exceeded',
      null,
    ],
    ['a defect', { code: 'gateway_error' }, 500, 'server_error', 'gateway_error', null],
    ['failed providers', PROVIDER_FAILED, 502, 'server_error', 'provider_failed', null],
    [
      'a malformed answer',
      { code: 'provider_malformed', message: 'm', refusals: [] },
      502,
      'server_error',
      'provider_malformed',
      null,
    ],
    [
      'a cost ceiling',
      { code: 'fallback_cost_ceiling', refusals: [CEILING] },
      502,
      'server_error',
      'fallback_cost_ceiling',
      null,
    ],
    [
      'no route',
      { code: 'no_eligible_route', retryAfterMs: null, refusals: [] },
      503,
      'server_error',
      'no_eligible_route',
      null,
    ],
    ['a lost store', { code: 'audit_unavailable' }, 503, 'server_error', 'audit_unavailable', null],
    ['a shutdown', { code: 'shutting_down' }, 503, 'server_error', 'shutting_down', null],
    [
      'a timeout',
      { code: 'provider_timeout', message: 'm', refusals: [] },
      504,
      'server_error',
      'provider_timeout',
      null,
    ],
  ])('of %s has its status, type, code and param', (_case, error, ...expected) => {
    const [status, type, code, param] = expected;
    const presented = present(error);

    expect(presented.status).toBe(status);
    expect(presented.body['error']).toMatchObject({ type, code, param });
  });

  it('of a provider is the provider’s own', () => {
    const error = {
      message: 'Bad image.',
      type: 'invalid_image',
      code: 'image_parse_error',
      param: 'messages',
    };

    const { status, headers, body } = present({ code: 'provider_error_returned', status: 422, error });

    expect(status).toBe(422);
    expect(headers).toEqual({ 'x-should-retry': 'false' });
    expect(body['error']).toEqual(error);
  });

  it.each([
    [200, 502, 'server_error'],
    [301, 502, 'server_error'],
    [400, 400, 'invalid_request_error'],
    [413, 413, 'invalid_request_error'],
    [500, 500, 'server_error'],
    [600, 502, 'server_error'],
  ])('of a provider with status %i is answered with %i and a type', (given, status, type) => {
    const error = { message: 'm', type: null, code: null, param: null };

    const presented = present({ code: 'provider_error_returned', status: given, error });

    expect(presented.status).toBe(status);
    expect(presented.body['error']).toEqual({ message: 'm', type, code: null, param: null });
  });

  it('tells what was attempted', () => {
    const { body, headers } = present(PROVIDER_FAILED, [FAILED_ATTEMPT]);

    expect(headers).toEqual({ 'x-should-retry': 'false' });
    expect(body['schneeai']).toEqual({
      attempts: [
        {
          number: 1,
          action: 'initial',
          provider: 'openai',
          channel: 'ch',
          model: 'gpt-s',
          upstream_name: 'gpt-s',
          status: 503,
          fault: 'server_error',
          code: 'overloaded',
          stage: 'before_output',
          retry_after_ms: 700,
          backoff_ms: 0,
          duration_ms: 300,
          upstream_request_id: 'up-1',
        },
      ],
    });
  });

  it('of the cost ceiling shows both prices, the ratio and the ceiling', () => {
    const { body } = present({ code: 'fallback_cost_ceiling', refusals: [CEILING] }, [FAILED_ATTEMPT]);

    expect(body['error']).toMatchObject({
      message:
        'Every possible fallback was refused by the cost ceiling: claude-s at anthropic costs 8.33 × the primary (ceiling 5 ×).',
    });
    expect(body['schneeai']).toMatchObject({
      refusals: [
        {
          reason: 'cost_ceiling',
          offering: 'an',
          provider: 'anthropic',
          channel: 'ch-an',
          model: 'claude-s',
          primary_price: { input: 150_000, output: 600_000, cached_input: null, cache_write: null },
          fallback_price: { input: 1_000_000, output: 5_000_000, cached_input: null, cache_write: null },
          ratio: 8.333333,
          ceiling: 5,
        },
      ],
    });
  });

  it.each<[RefusalDetail, object]>([
    [{ reason: 'not_opted_in', missing: 'tenant_feature' }, { missing: 'tenant_feature' }],
    [
      { reason: 'tenant_excluded', note: 'n', untilMs: 0 },
      { note: 'n', until: '1970-01-01T00:00:00.000Z' },
    ],
    [
      { reason: 'data_residency', region: 'us', allowedRegions: ['eu'] },
      { region: 'us', allowed_regions: ['eu'] },
    ],
    [{ reason: 'pii_policy', classes: ['email'] }, { classes: ['email'] }],
    [
      { reason: 'contract_mismatch', param: 'tools', message: 'm' },
      { param: 'tools', message: 'm' },
    ],
    [{ reason: 'cost_unknown', of: 'both' }, { unknown: 'both' }],
    [
      { reason: 'group_rpm', group: 'g', retryAfterMs: 5 },
      { group: 'g', retry_after_ms: 5 },
    ],
    [{ reason: 'circuit_open', untilMs: null }, { until: null }],
    [{ reason: 'throttled', untilMs: 1 }, { until: '1970-01-01T00:00:00.001Z' }],
    [{ reason: 'disabled' }, {}],
  ])('shows of the refusal %j its numbers', (detail, numbers) => {
    const { body } = present({ code: 'no_eligible_route', retryAfterMs: null, refusals: [refused(detail)] });

    expect(body['schneeai']).toEqual({
      refusals: [
        {
          reason: detail.reason,
          offering: 'an',
          provider: 'anthropic',
          channel: 'ch-an',
          model: 'claude-s',
          ...numbers,
        },
      ],
    });
  });

  it.each<[string, GatewayError, object]>([
    [
      'a lost update',
      { code: 'precondition_failed', message: 'm', currentVersion: 4 },
      { current_version: 4 },
    ],
    ['a large body', { code: 'payload_too_large', limitBytes: 9 }, { limit_bytes: 9 }],
    [
      'an empty wallet',
      { code: 'insufficient_balance', requiredMicroUsd: 2, availableMicroUsd: 1 },
      { required_micro_usd: 2, available_micro_usd: 1 },
    ],
    [
      'problems',
      { code: 'unprocessable', problems: [{ field: 'f', message: 'm' }] },
      { problems: [{ field: 'f', message: 'm' }] },
    ],
  ])('of %s says what there is to act on', (_case, error, facts) => {
    expect(present(error).body['schneeai']).toEqual(facts);
  });
});
