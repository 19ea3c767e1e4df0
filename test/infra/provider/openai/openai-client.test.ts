import type { Channel } from '../../../../src/domain/catalog/channel';
import { openAiClients } from '../../../../src/infra/provider/openai/openai-client';
import { UpstreamFetch } from '../../../../src/infra/provider/transport/upstream-fetch';

const CHANNEL: Channel = {
  id: 'ch_1',
  provider: 'openai',
  kind: 'openai',
  baseUrl: 'https://api.example/v1/',
  credentialRef: 'env:KEY',
  region: 'us',
  group: 'default',
  priority: 1,
  enabled: true,
  options: {
    headers: { 'x-api-token': 'static-secret-1' },
    organization: 'org-1',
    project: null,
    anthropicVersion: null,
    anthropicAuth: 'bearer',
  },
};

describe('OpenAI clients', () => {
  const upstream = new UpstreamFetch();
  const clients = openAiClients(upstream, '1.0.0');

  afterAll(() => upstream.close());

  it('are built once per channel and credential', () => {
    expect(clients.of(CHANNEL, 'sk-first-1').client).toBe(clients.of(CHANNEL, 'sk-first-1').client);
  });

  it('follow a rotated credential', () => {
    clients.of(CHANNEL, 'sk-before-1');

    expect(clients.of(CHANNEL, 'sk-after-1').client.apiKey).toBe('sk-after-1');
  });

  it('follow a changed channel', () => {
    clients.of(CHANNEL, 'sk-first-1');

    const changed = clients.of({ ...CHANNEL, baseUrl: 'https://other.example/v1' }, 'sk-first-1');

    expect(changed.client.baseURL).toBe('https://other.example/v1');
  });

  it('make no retries of their own', () => {
    expect(clients.of(CHANNEL, 'sk-first-1').client.maxRetries).toBe(0);
  });

  it('redact the credential and whatever else is secret in the channel', () => {
    const { redactor } = clients.of(CHANNEL, 'plain-credential');

    expect(redactor.text('plain-credential static-secret-1')).toBe('[redacted] [redacted]');
  });
});
