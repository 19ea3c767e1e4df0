import type { DependencyContainer } from 'tsyringe';
import { deriveKey } from '../infra/config/secret-key';
import { AdapterByKind } from '../infra/provider/adapter-by-kind';
import { ModelListerLoadedOnUse, ProviderLoadedOnUse } from '../infra/provider/loaded-on-use';
import { ModelListerByKind } from '../infra/provider/model-lister-by-kind';
import {
  CredentialSchemes,
  EnvironmentCredentials,
  FileCredentials,
  type CredentialScheme,
} from '../infra/provider/transport/credential-resolver';
import { UpstreamTransport } from '../infra/provider/transport/upstream-transport';
import { UpstreamModelLister } from '../infra/provider/upstream-model-lister';
import { SandboxCredentials } from '../infra/sandbox/sandbox-credentials';
import { singleton } from './singleton';
import { TOKEN } from './token';
import { VERSION } from './version';

/** The adapters, and the credentials that they send. */
export function registerProviders(container: DependencyContainer): void {
  singleton(container, UpstreamTransport, () => new UpstreamTransport());
  singleton(container, SandboxCredentials, () => new SandboxCredentials());
  singleton(
    container,
    TOKEN.credentials,
    (c) =>
      new CredentialSchemes(
        new Map<string, CredentialScheme>([
          ['env', new EnvironmentCredentials(process.env)],
          ['file', new FileCredentials(c.resolve(TOKEN.clock))],
          ['sandbox', c.resolve(SandboxCredentials)],
        ]),
      ),
  );
  singleton(container, TOKEN.providers, (c) => {
    const shared = sharedBy(c);
    const userHashKey = deriveKey(c.resolve(TOKEN.secretKey), 'user hash');
    return new AdapterByKind({
      openai: new ProviderLoadedOnUse(async () => {
        const { OpenAiChatProvider } = await import('../infra/provider/openai/openai-provider.js');
        return new OpenAiChatProvider(shared);
      }),
      anthropic: new ProviderLoadedOnUse(async () => {
        const { AnthropicChatProvider } = await import('../infra/provider/anthropic/anthropic-provider.js');
        return new AnthropicChatProvider({ ...shared, clock: c.resolve(TOKEN.clock), userHashKey });
      }),
    });
  });
  registerModelListers(container);
}

function registerModelListers(container: DependencyContainer): void {
  singleton(container, TOKEN.models, (c) => {
    const shared = sharedBy(c);
    return new ModelListerByKind({
      openai: new ModelListerLoadedOnUse(async () => {
        const { openAiClients } = await import('../infra/provider/openai/openai-client.js');
        return new UpstreamModelLister({ ...shared, clients: openAiClients(VERSION) });
      }),
      anthropic: new ModelListerLoadedOnUse(async () => {
        const { anthropicClients } = await import('../infra/provider/anthropic/anthropic-client.js');
        return new UpstreamModelLister({ ...shared, clients: anthropicClients(VERSION) });
      }),
    });
  });
}

function sharedBy(c: DependencyContainer) {
  return {
    upstream: c.resolve(UpstreamTransport),
    credentials: c.resolve(TOKEN.credentials),
    version: VERSION,
  };
}
