/** What an operator sends to the admin API; rejects when it is refused. */
export type AdminPut = (path: string, body: object) => Promise<unknown>;

export type ChannelUrls = Readonly<{ openai: string; anthropic: string }>;
type CredentialRefs = Readonly<{ openai: string; anthropic: string }>;

const CAPABLE = { json_schema: true, vision: true, files: true, mid_conversation_system: true };

/** Where a gateway in a process of its own finds them (`PROVIDERS_ENVIRONMENT`). */
const IN_ENVIRONMENT: CredentialRefs = {
  openai: 'env:OPENAI_CREDENTIAL',
  anthropic: 'env:ANTHROPIC_CREDENTIAL',
};

/** Micro-USD per million tokens, as the providers ask them. */
export const MINI_PRICE = { input: 150_000, output: 600_000, cached_input: 75_000 };
export const HAIKU_PRICE = {
  input: 1_000_000,
  output: 5_000_000,
  cached_input: 100_000,
  cache_write: 1_250_000,
};

/** Registers both simulated providers by the admin API, as an operator would register real ones. */
export async function registerProviders(
  put: AdminPut,
  urls: ChannelUrls,
  credentials = IN_ENVIRONMENT,
): Promise<void> {
  await put('/providers/openai', { name: 'OpenAI' });
  await put('/providers/anthropic', { name: 'Anthropic' });
  for (const kind of ['openai', 'anthropic'] as const) {
    await put(`/channels/${kind}-us`, {
      provider: kind,
      kind,
      base_url: urls[kind],
      credential_ref: credentials[kind],
      region: 'us',
    });
  }
  await put('/models/gpt-4o-mini', {
    provider: 'openai',
    contract: { ...CAPABLE, multiple_choices: true, logprobs: true },
  });
  await put('/models/claude-haiku-4-5', {
    provider: 'anthropic',
    contract: { ...CAPABLE, sampling: 'one_of_both', json_object: false },
  });
  await put('/offerings/mini', {
    channel: 'openai-us',
    model: 'gpt-4o-mini',
    upstream_name: 'gpt-4o-mini',
    price: MINI_PRICE,
  });
  await put('/offerings/haiku', {
    channel: 'anthropic-us',
    model: 'claude-haiku-4-5',
    upstream_name: 'claude-haiku-4-5',
    price: HAIKU_PRICE,
  });
}
