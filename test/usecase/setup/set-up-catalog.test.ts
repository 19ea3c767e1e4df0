import { SetUpCatalog, type StarterChannel } from '../../../src/usecase/setup/set-up-catalog';
import { STARTER_MODELS } from '../../../src/usecase/setup/starter-models';
import { InMemoryConfiguration } from '../../support/in-memory-configuration';
import { aPrice } from '../../support/sample-catalog';

const OPENAI: StarterChannel = {
  id: 'openai',
  provider: 'openai',
  providerName: 'OpenAI',
  kind: 'openai',
  baseUrl: 'https://api.openai.example/v1',
  credentialRef: 'env:OPENAI_API_KEY',
  region: 'us',
};
const SIMULATED: StarterChannel = {
  ...OPENAI,
  id: 'sandbox-openai',
  baseUrl: 'http://127.0.0.1:1/v1',
  credentialRef: 'sandbox:openai',
};

const MODELS = ['gpt-4o-mini', 'gpt-4o', 'gpt-4.1', 'gpt-4.1-mini', 'gpt-5', 'gpt-5-mini', 'gpt-5-nano'];
const PRICE = aPrice(150_000, 600_000);

describe('set-up of the catalog', () => {
  let configuration: InMemoryConfiguration;

  beforeEach(() => {
    configuration = new InMemoryConfiguration();
  });

  const start = (...channels: StarterChannel[]): Promise<void> => {
    const prices = {
      priceOf: (_provider: string, model: string) => (model === 'gpt-4o-mini' ? PRICE : null),
    };
    return new SetUpCatalog({ configuration, store: configuration, prices }).execute(channels);
  };
  const channel = (id: string) => configuration.catalog().channels.get(id);

  it('registers provider, channel, models and offerings at the first start', async () => {
    await start(OPENAI);

    const { providers, channels, models, offerings } = configuration.catalog();
    expect([...providers.values()]).toEqual([
      { id: 'openai', name: 'OpenAI', dataPolicy: { retentionDays: null, trainsOnData: null } },
    ]);
    expect([...channels.values()]).toMatchObject([
      {
        id: 'openai',
        baseUrl: 'https://api.openai.example/v1',
        credentialRef: 'env:OPENAI_API_KEY',
        enabled: true,
        priority: 0,
      },
    ]);
    expect([...models.keys()]).toEqual(MODELS);
    expect([...offerings.keys()]).toEqual(MODELS.map((model) => `openai:${model}`));
  });

  it('takes list prices, and no price where there is none', async () => {
    await start(OPENAI);

    const { offerings } = configuration.catalog();
    expect(offerings.get('openai:gpt-4o-mini')?.price).toEqual(PRICE);
    expect(offerings.get('openai:gpt-4o')?.price).toBeNull();
  });

  it('writes nothing at a second start', async () => {
    await start(OPENAI);
    configuration.writes = 0;

    await start(OPENAI);

    expect(configuration.writes).toBe(0);
  });

  it('brings back nothing that an operator changed, removed or switched off', async () => {
    await start(OPENAI);
    const found = channel('openai');
    if (found === undefined) throw new Error('The first start registered no channel.');
    await configuration.putChannel({ ...found, baseUrl: 'https://eu.example/v1', enabled: false });
    await configuration.remove('offering', 'openai:gpt-4o');
    await configuration.remove('model', 'gpt-4o');

    await start(OPENAI);

    expect(channel('openai')).toMatchObject({ baseUrl: 'https://eu.example/v1', enabled: false });
    expect(configuration.catalog().models.has('gpt-4o')).toBe(false);
    expect(configuration.catalog().offerings.has('openai:gpt-4o')).toBe(false);
  });

  it('completes a start that died before its channel', async () => {
    await start(OPENAI);
    await configuration.remove('channel', 'openai');
    await configuration.remove('offering', 'openai:gpt-5-nano');

    await start(OPENAI);

    expect(channel('openai')).toMatchObject({ enabled: true });
    expect(configuration.catalog().offerings.has('openai:gpt-5-nano')).toBe(true);
  });

  it('keeps a model and a provider that an operator registered first', async () => {
    const own = { id: 'openai', name: 'Our OpenAI', dataPolicy: { retentionDays: 0, trainsOnData: false } };
    await configuration.putProvider(own);

    await start(OPENAI);

    expect(configuration.catalog().providers.get('openai')).toEqual(own);
  });

  it('tells the sandbox’s channel where its simulator is now', async () => {
    await start(SIMULATED);

    await start({ ...SIMULATED, baseUrl: 'http://127.0.0.1:2/v1' });

    expect(channel('sandbox-openai')).toMatchObject({ baseUrl: 'http://127.0.0.1:2/v1', enabled: true });
  });

  it('retires the sandbox when the real provider comes, under ids of its own', async () => {
    await start(SIMULATED);

    await start(OPENAI);

    expect(channel('sandbox-openai')).toMatchObject({ enabled: false });
    expect(channel('openai')).toMatchObject({ enabled: true });
    const routes = configuration.catalog().routes.get('gpt-4o-mini') ?? [];
    expect(routes.map(({ id, enabled }) => [id, enabled])).toEqual([
      ['sandbox-openai:gpt-4o-mini', false],
      ['openai:gpt-4o-mini', true],
    ]);
  });

  it('retires it when nothing comes, and brings it back', async () => {
    await start(SIMULATED);

    await start();
    expect(channel('sandbox-openai')).toMatchObject({ enabled: false });

    await start(SIMULATED);
    expect(channel('sandbox-openai')).toMatchObject({ enabled: true });
  });
});

describe('starter models', () => {
  it('have names of their own, and claim to do no audio', () => {
    expect(new Set(STARTER_MODELS.map(({ name }) => name)).size).toBe(STARTER_MODELS.length);
    expect(STARTER_MODELS.filter(({ contract }) => contract.audio)).toEqual([]);
  });

  it.each([
    [
      'claude-haiku-4-5',
      {
        contextTokens: 200_000,
        thinking: 'manual',
        prefill: true,
        midConversationSystem: false,
        effortLevels: [],
      },
    ],
    [
      'claude-opus-4-5',
      { contextTokens: 200_000, thinking: 'manual', effortLevels: ['low', 'medium', 'high'] },
    ],
    [
      'claude-sonnet-4-6',
      { contextTokens: 1_000_000, thinking: 'adaptive_off', sampling: 'one_of_both', prefill: false },
    ],
    ['claude-opus-4-8', { thinking: 'adaptive_off', sampling: 'defaults_only', midConversationSystem: true }],
    ['claude-sonnet-5', { thinking: 'adaptive_on', sampling: 'defaults_only', midConversationSystem: false }],
    ['gpt-4o-mini', { contextTokens: 128_000, maxOutputTokens: 16_384, logprobs: true, thinking: 'none' }],
  ])('can what WIRE §9 says: %s', (name, contract) => {
    expect(STARTER_MODELS.find((model) => model.name === name)?.contract).toMatchObject(contract);
  });
});
