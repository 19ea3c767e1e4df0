import { realChannels, sandboxChannels } from '../../src/container/starter-channels';
import { readConfig, type Config } from '../../src/infra/config/config';
import { Sandbox } from '../../src/infra/sandbox/sandbox';
import { SandboxCredentials } from '../../src/infra/sandbox/sandbox-credentials';

const configOf = (environment: Record<string, string>): Config => {
  const config = readConfig(environment);
  if (!config.ok) throw new Error(config.error.join());
  return config.value;
};

const OPENAI = {
  id: 'openai',
  provider: 'openai',
  providerName: 'OpenAI',
  kind: 'openai',
  baseUrl: 'https://api.openai.com/v1',
  credentialRef: 'env:OPENAI_API_KEY',
  region: 'us',
};
const ANTHROPIC = {
  id: 'anthropic',
  provider: 'anthropic',
  providerName: 'Anthropic',
  kind: 'anthropic',
  baseUrl: 'https://api.anthropic.com',
  credentialRef: 'env:ANTHROPIC_API_KEY',
  region: 'us',
};

describe('starter channels', () => {
  it.each([
    ['no credential', {}, []],
    ['one of OpenAI', { OPENAI_API_KEY: 'canary' }, [OPENAI]],
    ['one of Anthropic', { ANTHROPIC_API_KEY: 'canary' }, [ANTHROPIC]],
    ['both', { ANTHROPIC_API_KEY: 'canary', OPENAI_API_KEY: 'canary' }, [OPENAI, ANTHROPIC]],
  ])('of %s name it and never hold it', (_name, environment, channels) => {
    expect(realChannels(configOf(environment))).toEqual(channels);
  });

  it('of the sandbox lead to it, under ids and credentials of their own', async () => {
    const sandbox = await Sandbox.start(new SandboxCredentials());

    expect(sandboxChannels(sandbox)).toEqual([
      {
        ...OPENAI,
        id: 'sandbox-openai',
        baseUrl: sandbox.baseUrl('openai'),
        credentialRef: 'sandbox:openai',
      },
      {
        ...ANTHROPIC,
        id: 'sandbox-anthropic',
        baseUrl: sandbox.baseUrl('anthropic'),
        credentialRef: 'sandbox:anthropic',
      },
    ]);
    await sandbox.stop();
  });
});
