import { randomBytes } from 'node:crypto';
import type { CredentialScheme } from '../provider/transport/credential-resolver';

/** The credentials of the simulated providers of this process: nobody else has to know them. */
export class SandboxCredentials implements CredentialScheme {
  private readonly credentials = new Map<string, string>();

  issue(provider: string): string {
    const credential = `sandbox-${randomBytes(16).toString('hex')}`;
    this.credentials.set(provider, credential);
    return credential;
  }

  async read(name: string): Promise<string | null> {
    return this.credentials.get(name) ?? null;
  }
}
