import { AdminGateway } from '../../../../support/admin-gateway';

describe('GET /tenants/{tenant}/usage', () => {
  it('adds up by what is asked for, in the time that is asked for', async () => {
    const gateway = await AdminGateway.start();
    gateway.trail.rows.push({
      group: 'openai',
      interactions: 3,
      attempts: 5,
      inputTokens: 10,
      cachedInputTokens: 1,
      outputTokens: 4,
      reasoningTokens: 0,
      costMicroUsd: 90,
      resilienceCostMicroUsd: 7,
      costUnknown: 1,
    });

    const path = '/tenants/acme/usage?from=2026-11-01T00:00:00Z&to=1796083200000&group_by=provider';
    const answer = await gateway.call('get', path, { as: 'acme-admin' });

    expect(answer.body).toEqual({
      from: '2026-11-01T00:00:00.000Z',
      to: '2026-12-01T00:00:00.000Z',
      group_by: 'provider',
      data: [
        {
          group: 'openai',
          interactions: 3,
          attempts: 5,
          input_tokens: 10,
          cached_input_tokens: 1,
          output_tokens: 4,
          reasoning_tokens: 0,
          cost_micro_usd: 90,
          resilience_cost_micro_usd: 7,
          cost_unknown: 1,
        },
      ],
    });
    expect(gateway.trail.asked).toEqual([
      { tenant: 'acme', fromMs: 1_793_491_200_000, toMs: 1_796_083_200_000, groupBy: 'provider' },
    ]);
  });

  it.each([
    ['no beginning', '', 400],
    ['a beginning that is none', '?from=yesterday', 400],
    ['an unknown grouping', '?from=0&group_by=colour', 400],
    ['an end before the beginning', '?from=2000&to=1000', 422],
  ])('refuses %s', async (_name, query, status) => {
    const gateway = await AdminGateway.start();

    const answer = await gateway.call('get', `/tenants/acme/usage${query}`);

    expect(answer.status).toBe(status);
    expect(gateway.trail.asked).toEqual([]);
  });
});
