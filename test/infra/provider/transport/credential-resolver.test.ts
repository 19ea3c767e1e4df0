import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CredentialScheme } from '../../../../src/infra/provider/transport/credential-resolver';
import {
  CredentialSchemes,
  EnvironmentCredentials,
  FileCredentials,
} from '../../../../src/infra/provider/transport/credential-resolver';

describe('credential resolver', () => {
  const folder = mkdtempSync(join(tmpdir(), 'credentials-'));
  const file = join(folder, 'key');
  let nowMs = 0;
  const resolver = new CredentialSchemes(
    new Map<string, CredentialScheme>([
      ['env', new EnvironmentCredentials({ SET: ' sk-1 \n', EMPTY: ' ' })],
      ['file', new FileCredentials({ nowMs: () => nowMs })],
    ]),
  );

  afterAll(() => rmSync(folder, { recursive: true }));

  it('reads the environment, without blanks around', async () => {
    expect(await resolver.resolve('env:SET')).toEqual({ ok: true, value: 'sk-1' });
  });

  it.each<[string, string]>([
    ['a variable that is not set', 'env:NOT_SET'],
    ['an empty variable', 'env:EMPTY'],
    ['a file that is not there', `file:${folder}/other`],
    ['an unknown scheme', 'vault:key'],
    ['a reference without a scheme', 'SET'],
  ])('says that %s is our own fault', async (_name, reference) => {
    expect(await resolver.resolve(reference)).toMatchObject({
      ok: false,
      error: { kind: 'local', cause: 'no_credential', param: null },
    });
  });

  it('reads a file again after some seconds', async () => {
    writeFileSync(file, 'old\n');
    const before = await resolver.resolve(`file:${file}`);
    writeFileSync(file, 'new\n');
    nowMs = 4_999;
    const cached = await resolver.resolve(`file:${file}`);
    nowMs = 5_000;
    const after = await resolver.resolve(`file:${file}`);

    expect([before, cached, after]).toEqual([
      { ok: true, value: 'old' },
      { ok: true, value: 'old' },
      { ok: true, value: 'new' },
    ]);
  });
});
