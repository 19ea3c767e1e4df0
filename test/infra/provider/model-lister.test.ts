import type { AdapterKind } from '../../../src/domain/catalog/channel';
import { anthropicClients } from '../../../src/infra/provider/anthropic/anthropic-client';
import { ModelListerByKind } from '../../../src/infra/provider/model-lister-by-kind';
import { openAiClients } from '../../../src/infra/provider/openai/openai-client';
import {
  CredentialSchemes,
  EnvironmentCredentials,
} from '../../../src/infra/provider/transport/credential-resolver';
import { UpstreamTransport } from '../../../src/infra/provider/transport/upstream-transport';
import { UpstreamModelLister } from '../../../src/infra/provider/upstream-model-lister';
import { aChannel } from '../../support/sample-catalog';
import { RawUpstream } from './openai/raw-upstream';

const KEY = 'sk-canary-4f9a77c2d1e8b6a3';
const LIST = { pieces: ['{"object":"list","data":[]}'] };

describe('a list of models', () => {
  let upstream: RawUpstream;
  const transport = new UpstreamTransport();
  beforeEach(async () => {
    upstream = await RawUpstream.start(LIST);
  });
  afterEach(() => upstream.stop());
  afterAll(() => transport.close());

  const environment = new EnvironmentCredentials({ SAMPLE_KEY: KEY });
  const shared = {
    upstream: transport,
    credentials: new CredentialSchemes(new Map([['env', environment]])),
  };
  const lister = new ModelListerByKind({
    openai: new UpstreamModelLister({ ...shared, clients: openAiClients('1.2.3') }),
    anthropic: new UpstreamModelLister({ ...shared, clients: anthropicClients('1.2.3') }),
  });
  const list = (
    kind: AdapterKind,
    credentialRef = 'env:SAMPLE_KEY',
    abort = new AbortController().signal,
  ) => {
    const baseUrl = kind === 'openai' ? upstream.baseUrl : upstream.baseUrl.replace('/v1', '');
    return lister.listModels(aChannel({ kind, baseUrl, credentialRef }), abort);
  };

  it.each([
    { kind: 'openai', header: 'authorization', value: `Bearer ${KEY}` },
    { kind: 'anthropic', header: 'x-api-key', value: KEY },
  ] as const)('is asked for over the $kind wire, with the credential of the channel', async (row) => {
    expect(await list(row.kind)).toBeNull();

    expect(upstream.requests).toHaveLength(1);
    expect(upstream.requests[0]).toMatchObject({
      method: 'GET',
      url: '/v1/models',
      headers: { [row.header]: row.value, 'user-agent': 'schneeai-gateway/1.2.3' },
    });
  });

  it.each(['openai', 'anthropic'] as const)(
    'that is refused is a signal without the key (%s)',
    async (kind) => {
      upstream.will({
        status: 401,
        pieces: [`{"error":{"message":"bad key ${KEY}","code":"invalid_api_key"}}`],
      });

      const signal = await list(kind);

      expect(signal).toMatchObject({ kind: 'provider_error', status: 401 });
      expect(JSON.stringify(signal)).not.toContain(KEY);
    },
  );

  it('that is elsewhere is not followed', async () => {
    upstream.will({ status: 302, headers: { location: 'http://127.0.0.1:1/' } });

    expect(await list('openai')).toEqual({ kind: 'malformed', what: 'unexpected_status' });
  });

  it('that breaks off is a network signal', async () => {
    upstream.will({ silent: true, then: 'reset' });
    const abort = new AbortController();
    const asked = list('openai', 'env:SAMPLE_KEY', abort.signal);
    setTimeout(() => abort.abort(), 20);

    expect(await asked).toMatchObject({ kind: 'network' });
  });

  it('without a credential is asked of nobody', async () => {
    expect(await list('openai', 'env:MISSING_KEY')).not.toBeNull();
    expect(upstream.requests).toHaveLength(0);
  });
});
