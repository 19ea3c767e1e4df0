import type { Channel } from '../../../../src/domain/catalog/channel';
import { openAiClients } from '../../../../src/infra/provider/openai/openai-client';

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
  const clients = openAiClients('1.0.0');
  const chat = (channel: Channel, credential: string) => clients.of(channel, credential).headOf('chat');

  it('are built, and asked for what their requests begin with, once per channel and credential', async () => {
    expect(clients.of(CHANNEL, 'sk-first-1')).toBe(clients.of(CHANNEL, 'sk-first-1'));
    expect(await chat(CHANNEL, 'sk-first-1')).toBe(await chat(CHANNEL, 'sk-first-1'));
  });

  it('say where a request goes and how it is authenticated', async () => {
    expect(await chat(CHANNEL, 'sk-first-1')).toMatchObject({
      ...{ method: 'POST', origin: 'https://api.example', path: '/v1/chat/completions' },
      headers: {
        authorization: 'Bearer sk-first-1',
        'content-type': 'application/json',
        'openai-organization': 'org-1',
        'user-agent': 'schneeai-gateway/1.0.0',
        'x-api-token': 'static-secret-1',
        'x-stainless-retry-count': '0',
      },
    });
  });

  it('follow a rotated credential', async () => {
    await chat(CHANNEL, 'sk-before-1');

    expect((await chat(CHANNEL, 'sk-after-1')).headers).toMatchObject({ authorization: 'Bearer sk-after-1' });
  });

  it('follow a changed channel', async () => {
    await chat(CHANNEL, 'sk-first-1');

    const changed = await chat({ ...CHANNEL, baseUrl: 'https://other.example/v1' }, 'sk-first-1');

    expect(changed.origin).toBe('https://other.example');
  });

  it('keep the query that every request needs', async () => {
    const options = { ...CHANNEL.options, apiVersion: '2026-01-01' };

    expect((await chat({ ...CHANNEL, options }, 'sk-first-1')).path).toBe(
      '/v1/chat/completions?api-version=2026-01-01',
    );
  });

  it('redact the credential and whatever else is secret in the channel', () => {
    const { redactor } = clients.of(CHANNEL, 'plain-credential');

    expect(redactor.text('plain-credential static-secret-1')).toBe('[redacted] [redacted]');
  });
});
