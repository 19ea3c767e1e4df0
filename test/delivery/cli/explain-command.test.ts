import { explainCommand } from '../../../src/delivery/cli/explain-command';
import { EXPLAIN_USAGE, explainOptions } from '../../../src/delivery/cli/explain-options';
import type { ExplainOptions } from '../../../src/delivery/cli/explain-options';
import { AdminGateway } from '../../support/admin-gateway';

const OPTIONS: ExplainOptions = {
  tenant: 'acme',
  policy: 'main',
  model: 'auto',
  down: [],
  stream: 'whole',
  format: 'text',
};

describe('the options of schneeai explain', () => {
  it('takes a tenant, a policy, a model, and providers that are down', () => {
    const args = [
      '--tenant',
      'acme',
      '--policy',
      'main',
      '--model',
      'auto',
      '--down',
      'openai',
      '--down',
      'azure',
    ];

    expect(explainOptions(args)).toEqual({ ...OPTIONS, down: ['openai', 'azure'] });
  });

  it.each([
    [['--policy', 'p', '--model', 'm'], 'Name a --tenant.'],
    [['--tenant', 't', '--model', 'm'], 'Name a --policy.'],
    [['--tenant', 't', '--policy', 'p'], 'Name a --model.'],
  ])('%j lacks something', (args, reason) => {
    expect(explainOptions(args)).toBe(reason);
  });

  it('are told apart from others, within 100 columns', () => {
    expect(explainOptions(['--up', 'openai'])).toContain("'--up'");
    expect(EXPLAIN_USAGE.split('\n').filter((line) => line.length > 100)).toEqual([]);
  });
});

describe('schneeai explain', () => {
  let gateway: AdminGateway;

  beforeEach(async () => {
    gateway = await AdminGateway.start();
    await gateway.call('patch', '/tenants/acme', { body: { features: { failover: true } } });
    await gateway.call('put', '/tenants/acme/routing-policies/main', {
      body: {
        match: ['auto'],
        primary: { provider: 'openai', model: 'gpt-s' },
        fallbacks: [{ provider: 'anthropic', model: 'claude-s' }],
      },
    });
  });

  const explain = (given: Partial<ExplainOptions> = {}) =>
    explainCommand({ ...OPTIONS, ...given }, gateway.useCases.explainRouting);

  it('prints the routes, the refusals, what follows each fault, and the worst', async () => {
    const { exitCode, output } = await explain();

    expect(exitCode).toBe(0);
    expect(output.replaceAll(/ +\n/g, '\n')).toBe(
      `auto: policy main, version 1
Begins with: initial to gpt-s at openai (oa-1)

Routes
     offering  provider   model     relation          failover  cost    refused
  1  oa-1      openai     gpt-s     primary           no        1 x
  2  oa-2      openai     gpt-s     channel_fallback  no        1 x
  3  an        anthropic  claude-s  model_fallback    yes       3.75 x

Refused
  offering  reason        numbers
  az        not_opted_in  {"missing":"policy"}

If the first route fails
  cause           retries  waits        then
  rate_limited    1        750-1250 ms  channel_fallback to gpt-s at openai (oa-2)
  server_error    1        750-1250 ms  channel_fallback to gpt-s at openai (oa-2)
  timeout         1        750-1250 ms  504 provider_timeout
  network         1        0 ms         channel_fallback to gpt-s at openai (oa-2)
  credential      0        -            channel_fallback to gpt-s at openai (oa-2)
  malformed       0        -            channel_fallback to gpt-s at openai (oa-2)
  context_length  0        -            400 context_length_exceeded
  circuit_open    0        -            channel_fallback to gpt-s at openai (oa-2)

At worst
  8 attempts, cost unknown (output_unbounded: oa-1, oa-2, an), 300000 ms until the first output (deadline 300000 ms)
`,
    );
  });

  it('begins with the fallback while the provider is down', async () => {
    const { exitCode, output } = await explain({ down: ['openai'] });

    expect(exitCode).toBe(0);
    expect(output).toContain('Begins with: model_fallback to claude-s at anthropic (an)\n');
    expect(output).toMatch(/oa-1 +circuit_open +\{"until":"2026-11-30T12:01:00.000Z"\}/);
  });

  it('ends with 1 where no route would be asked', async () => {
    await gateway.call('put', '/tenants/acme/eligibility', {
      body: { allowed_regions: ['jp'], exclusions: [], allow_list: null },
    });

    const { exitCode, output } = await explain();

    expect(exitCode).toBe(1);
    expect(output).toContain('Begins with: 503 no_eligible_route\n');
    expect(output).not.toContain('If the first route fails');
  });

  it('prints the answer of the admin API as JSON', async () => {
    const document = JSON.parse((await explain({ format: 'json', stream: 'streamed' })).output);

    expect(document).toMatchObject({ stream: true, first: { action: 'initial', offering: 'oa-1' } });
  });

  it.each<[given: Partial<ExplainOptions>, reason: string]>([
    [{ tenant: 'nobody' }, "There is no tenant 'nobody'."],
    [{ policy: 'none' }, "There is no routing policy 'none'."],
    [{ down: ['opnai'] }, 'health.providers.opnai: no provider "opnai" in the catalog'],
    [{ model: 'gpt-9' }, 'request.model: no model "gpt-9" in the catalog'],
  ])('ends with 2 on %j', async (given, reason) => {
    const { exitCode, output } = await explain(given);

    expect(exitCode).toBe(2);
    expect(output).toContain(reason);
  });
});
