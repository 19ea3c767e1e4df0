import { SimulatedProvider } from '../../src/infra/simulator/simulated-provider';

/** The gateway's own credentials at its providers. */
export const OPENAI_CREDENTIAL = 'sk-proj-simulatedOpenAiCredential0123456789abcd';
export const ANTHROPIC_CREDENTIAL = 'sk-ant-api03-simulatedAnthropicCredential0123456789wxyz';

/** What a gateway in a process of its own needs in its environment to call them. */
export const PROVIDERS_ENVIRONMENT = {
  SCHNEEAI_SANDBOX: 'off',
  SCHNEEAI_ALLOW_PRIVATE_CHANNEL_URLS: 'true',
  OPENAI_CREDENTIAL,
  ANTHROPIC_CREDENTIAL,
};

export type SimulatedProviders = Readonly<{ openai: SimulatedProvider; anthropic: SimulatedProvider }>;

/** Both providers, each of which lets nobody in without its credential. */
export async function startProviders(): Promise<SimulatedProviders> {
  const [openai, anthropic] = await Promise.all([
    SimulatedProvider.start({ wire: 'openai', name: 'openai', apiKey: OPENAI_CREDENTIAL }),
    SimulatedProvider.start({ wire: 'anthropic', name: 'anthropic', apiKey: ANTHROPIC_CREDENTIAL }),
  ]);
  return { openai, anthropic };
}
