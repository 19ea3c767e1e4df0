import type { DependencyContainer } from 'tsyringe';
import { deriveKey } from '../infra/config/secret-key';
import { AdapterByKind } from '../infra/provider/adapter-by-kind';
import { AnthropicModelLister } from '../infra/provider/anthropic/anthropic-models';
import { AnthropicChatProvider } from '../infra/provider/anthropic/anthropic-provider';
import { ModelListerByKind } from '../infra/provider/model-lister-by-kind';
import { OpenAiModelLister } from '../infra/provider/openai/openai-models';
import { OpenAiChatProvider } from '../infra/provider/openai/openai-provider';
import {
  CredentialSchemes,
  EnvironmentCredentials,
  FileCredentials,
  type CredentialScheme,
} from '../infra/provider/transport/credential-resolver';
import { UpstreamFetch } from '../infra/provider/transport/upstream-fetch';
import { SandboxCredentials } from '../infra/sandbox/sandbox-credentials';
import { singleton } from './singleton';
import { TOKEN } from './token';
import { VERSION } from './version';

/** The adapters, and the credentials that they send. */
export function registerProviders(container: DependencyContainer): void {
  singleton(container, UpstreamFetch, () => new UpstreamFetch());
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
    const upstream = c.resolve(UpstreamFetch);
    const shared = { upstream, credentials: c.resolve(TOKEN.credentials), version: VERSION };
    const userHashKey = deriveKey(c.resolve(TOKEN.secretKey), 'user hash');
    return new AdapterByKind({
      openai: new OpenAiChatProvider(shared),
      anthropic: new AnthropicChatProvider({ ...shared, clock: c.resolve(TOKEN.clock), userHashKey }),
    });
  });
  singleton(container, TOKEN.models, (c) => {
    const shared = {
      upstream: c.resolve(UpstreamFetch),
      credentials: c.resolve(TOKEN.credentials),
      version: VERSION,
    };
    return new ModelListerByKind({
      openai: new OpenAiModelLister(shared),
      anthropic: new AnthropicModelLister(shared),
    });
  });
}
