import { AdminGateway } from '../../../../support/admin-gateway';

describe('models', () => {
  let gateway: AdminGateway;

  beforeEach(async () => {
    gateway = await AdminGateway.start();
  });

  const post = (body: object) => gateway.call('post', '/models', { body });

  it('keep how the body of a dialect is to be written', async () => {
    const contract = {
      token_limit_field: 'max_tokens',
      developer_role: false,
      stream_options: false,
      strict_body: true,
      reasoning_efforts: [],
    };

    const created = await post({ name: 'mistral', aliases: [], provider: 'openai', contract });

    expect(created.status).toBe(201);
    expect((created.body as { contract: object }).contract).toMatchObject(contract);
  });

  it('are registered with what they can do, and with defaults for the rest', async () => {
    const body = {
      name: 'gpt-xl',
      aliases: ['big'],
      provider: 'openai',
      contract: { context_tokens: 128_000, vision: true },
    };

    const created = await post(body);
    const put = await gateway.call('put', '/models/gpt-xl', { body: created.body as object });

    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      name: 'gpt-xl',
      aliases: ['big'],
      provider: 'openai',
      contract: {
        context_tokens: 128_000,
        max_output_tokens: null,
        streaming: true,
        tools: true,
        forced_tool_choice: true,
        json_schema: false,
        json_object: true,
        vision: true,
        files: false,
        audio: false,
        multiple_choices: false,
        logprobs: false,
        legacy_functions: false,
        prefill: false,
        mid_conversation_system: false,
        sampling: 'any',
        thinking: 'none',
        effort_levels: [],
      },
    });
    expect(put.status).toBe(200);
    expect(put.body).toEqual(created.body);
  });

  it('may have a slash in their name', async () => {
    const put = await gateway.call('put', '/models/meta-llama%2FLlama-3.3', { body: { provider: 'openai' } });
    const read = await gateway.call('get', '/models/meta-llama%2FLlama-3.3');

    expect(put.status).toBe(201);
    expect(read.body.name).toBe('meta-llama/Llama-3.3');
  });

  it('keep an alias that they have already', async () => {
    const answer = await gateway.call('put', '/models/gpt-s', {
      body: { aliases: ['small', 'mini'], provider: 'openai' },
    });

    expect(answer.status).toBe(200);
    expect(answer.body.aliases).toEqual(['small', 'mini']);
  });

  it.each([
    ['no name', { provider: 'openai' }, 'name'],
    ['a name with a space', { name: 'a b', provider: 'openai' }, 'name'],
    ['no provider', { name: 'm' }, 'provider'],
    ['aliases that are text', { name: 'm', provider: 'openai', aliases: 'x' }, 'aliases'],
    ['an alias twice', { name: 'm', provider: 'openai', aliases: ['x', 'x'] }, 'aliases'],
    [
      'a capability that is null',
      { name: 'm', provider: 'openai', contract: { tools: null } },
      'contract.tools',
    ],
    [
      'a context of no tokens',
      { name: 'm', provider: 'openai', contract: { context_tokens: 0 } },
      'contract.context_tokens',
    ],
    [
      'an unknown capability',
      { name: 'm', provider: 'openai', contract: { telepathy: true } },
      'contract.telepathy',
    ],
    [
      'an unknown way of thinking',
      { name: 'm', provider: 'openai', contract: { thinking: 'deep' } },
      'contract.thinking',
    ],
  ])('are refused with %s', async (_case, body, param) => {
    const answer = await post(body);

    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request_error', param });
    expect(gateway.configuration.writes).toBe(0);
  });

  it.each([
    [
      'a provider that is not there',
      { name: 'm', provider: 'nobody' },
      'provider',
      "there is no provider 'nobody'",
    ],
    [
      'the alias of another as name',
      { name: 'small', provider: 'openai' },
      'name',
      "'small' is an alias of the model 'gpt-s'",
    ],
    [
      'the name of another as alias',
      { name: 'm', provider: 'openai', aliases: ['ok', 'claude-s'] },
      'aliases[1]',
      "'claude-s' is the name of a model",
    ],
    [
      'its own name as alias',
      { name: 'm', provider: 'openai', aliases: ['m'] },
      'aliases[0]',
      "'m' is the name of a model",
    ],
    [
      'the alias of another',
      { name: 'm', provider: 'openai', aliases: ['small'] },
      'aliases[0]',
      "'small' is an alias of the model 'gpt-s'",
    ],
  ])('are refused with %s', async (_case, body, field, message) => {
    const answer = await post(body);

    expect(answer.status).toBe(422);
    expect(answer.body.schneeai.problems).toEqual([{ field, message }]);
    expect(gateway.configuration.writes).toBe(0);
  });

  it('are not created twice', async () => {
    const answer = await post({ name: 'gpt-s', provider: 'openai' });

    expect(answer.status).toBe(409);
    expect(answer.body.error).toMatchObject({ code: 'conflict', param: 'name' });
  });

  it('stay while an offering or a policy refers to them', async () => {
    const body = {
      match: ['auto'],
      primary: { provider: 'openai', model: 'gpt-s' },
      fallbacks: [{ provider: 'mistral', model: 'mistral-s' }],
    };
    await gateway.call('put', '/tenants/acme/routing-policies/main', { body });

    const answer = await gateway.call('delete', '/models/mistral-s');

    expect(answer.status).toBe(409);
    expect(answer.body.error.message).toContain("the offering 'mi', the policy 'main' of the tenant 'acme'");
  });
});
