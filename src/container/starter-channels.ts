import type { AdapterKind } from '../domain/catalog/channel';
import type { Config } from '../infra/config/config';
import type { Sandbox } from '../infra/sandbox/sandbox';
import { SANDBOX_CREDENTIAL_PREFIX, type StarterChannel } from '../usecase/setup/set-up-catalog';

type KnownProvider = Config['credentials'][number]['provider'];

const KNOWN: Readonly<Record<KnownProvider, Readonly<{ name: string; kind: AdapterKind; baseUrl: string }>>> =
  {
    openai: { name: 'OpenAI', kind: 'openai', baseUrl: 'https://api.openai.com/v1' },
    anthropic: { name: 'Anthropic', kind: 'anthropic', baseUrl: 'https://api.anthropic.com' },
  };

/** Both providers serve from the United States unless an account says otherwise. */
const REGION = 'us';

/** The channels of the providers whose credentials are in the environment. */
export function realChannels(config: Config): readonly StarterChannel[] {
  return config.credentials.map(({ provider, variable }) => {
    const { name, kind, baseUrl } = KNOWN[provider];
    const credentialRef = `env:${variable}`;
    return { id: provider, provider, providerName: name, kind, baseUrl, credentialRef, region: REGION };
  });
}

/** The channels of the simulated providers, under ids of their own: they must never be taken for real ones. */
export function sandboxChannels(sandbox: Pick<Sandbox, 'baseUrl'>): readonly StarterChannel[] {
  return (['openai', 'anthropic'] as const).map((provider) => ({
    id: `sandbox-${provider}`,
    provider,
    providerName: KNOWN[provider].name,
    kind: KNOWN[provider].kind,
    baseUrl: sandbox.baseUrl(provider),
    credentialRef: `${SANDBOX_CREDENTIAL_PREFIX}${provider}`,
    region: REGION,
  }));
}
