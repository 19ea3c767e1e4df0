import { DEFAULT_BREAKER } from '../../../../../src/domain/health/circuit-breaker';
import type { Observation } from '../../../../../src/domain/health/route-health';
import { freshHealth, observe, openedUntil } from '../../../../../src/domain/health/route-health';
import { AdminGateway } from '../../../../support/admin-gateway';

const SERVED: Observation = {
  outcome: 'success',
  generation: 0,
  latencyMs: 200,
  totalMs: 900,
  throttleUntilMs: null,
};

describe('health', () => {
  it('shows what was observed of every route and provider', async () => {
    const gateway = await AdminGateway.start();
    const nowMs = gateway.clock.nowMs();
    gateway.health.set('oa-1', observe(freshHealth(), SERVED, nowMs, DEFAULT_BREAKER));
    gateway.health.set('oa-2', { ...freshHealth(), throttledUntilMs: nowMs + 5_000 });
    gateway.health.set('mi', openedUntil(freshHealth(), nowMs + 60_000));

    const answer = await gateway.call('get', '/health');

    expect(answer.status).toBe(200);
    expect(answer.body.routes).toEqual(
      expect.arrayContaining([
        {
          offering: 'oa-1',
          provider: 'openai',
          channel: 'ch-oa-1',
          model: 'gpt-s',
          enabled: true,
          circuit: { state: 'closed' },
          window: { successes: 1, failures: 0 },
          throttled_until: null,
          ewma: { first_output_ms: 200, total_ms: 900, success: 1 },
        },
        expect.objectContaining({ offering: 'oa-2', throttled_until: '2026-11-30T12:00:05.000Z' }),
        expect.objectContaining({
          offering: 'mi',
          circuit: { state: 'open', until: '2026-11-30T12:01:00.000Z', trial_taken: false },
        }),
        expect.objectContaining({
          offering: 'an',
          ewma: { first_output_ms: null, total_ms: null, success: null },
        }),
      ]),
    );
    expect(answer.body.providers).toEqual(
      expect.arrayContaining([
        { provider: 'openai', healthy: true, latency_ms: 200, cost_micro_usd: 500 },
        { provider: 'mistral', healthy: false, latency_ms: null, cost_micro_usd: 200 },
      ]),
    );
  });

  it('shows a circuit as half-open once its time is over', async () => {
    const gateway = await AdminGateway.start();
    gateway.health.set('mi', openedUntil(freshHealth(), gateway.clock.nowMs() + 60_000));
    await gateway.clock.advance(60_000);

    const answer = await gateway.call('get', '/health');

    expect(answer.body.routes).toContainEqual(
      expect.objectContaining({ offering: 'mi', circuit: { state: 'half_open', trial_taken: false } }),
    );
  });

  it('shows the probes of each channel, and what the last one saw', async () => {
    const gateway = await AdminGateway.start();
    const mistral = gateway.configuration.catalog().channels.get('ch-mi');
    if (mistral === undefined) throw new Error('the sample has ch-mi');
    const options = { ...mistral.options, probe: { kind: 'models', intervalMs: 30_000 } as const };
    await gateway.configuration.putChannel({ ...mistral, options });
    const nowMs = gateway.clock.nowMs();
    gateway.probes.set('ch-mi', {
      last: {
        verdict: 'failed',
        startedAtMs: nowMs,
        endedAtMs: nowMs + 250,
        fault: { class: 'server_error', code: 'overloaded', status: 529 },
      },
      failuresAtMs: [nowMs + 250],
    });

    const answer = await gateway.call('get', '/health');

    expect(answer.body.channels).toHaveLength(5);
    expect(answer.body.channels).toEqual(
      expect.arrayContaining([
        {
          channel: 'ch-mi',
          provider: 'mistral',
          enabled: true,
          probe: { kind: 'models', interval_ms: 30_000 },
          last_probe: {
            at: '2026-11-30T12:00:00.250Z',
            verdict: 'failed',
            duration_ms: 250,
            fault: 'server_error',
            code: 'overloaded',
            status: 529,
          },
          failed_probes_in_row: 1,
        },
        {
          channel: 'ch-an',
          provider: 'anthropic',
          enabled: true,
          probe: null,
          last_probe: null,
          failed_probes_in_row: 0,
        },
      ]),
    );
  });
});
