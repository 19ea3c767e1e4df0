import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deriveKey, loadSecretKey } from '../../../src/infra/config/secret-key';
import { RUN_SOURCES } from '../../support/run-sources';

const SOURCE = join(__dirname, '../../../src/infra/config/secret-key.ts');

describe('secret key', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'schneeai-key-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is the configured one, and then nothing is stored', () => {
    expect(loadSecretKey('a secret of the operator', folder).toString('utf8')).toBe(
      'a secret of the operator',
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is made at the first start, for its owner’s eyes only, and stays', () => {
    const nested = join(folder, 'data');

    const first = loadSecretKey(null, nested);

    expect(first).toHaveLength(32);
    expect(loadSecretKey(null, nested)).toEqual(first);
    expect(readdirSync(nested)).toEqual(['secret.key']);
    expect(statSync(join(nested, 'secret.key')).mode & 0o777).toBe(0o600);
    expect(statSync(nested).mode & 0o777).toBe(0o700);
  });

  it('is another one in another folder', () => {
    expect(loadSecretKey(null, join(folder, 'a'))).not.toEqual(loadSecretKey(null, join(folder, 'b')));
  });

  it('is the same in processes that start at once', async () => {
    const script = `const { loadSecretKey } = require(${JSON.stringify(SOURCE)});
      process.stdout.write(loadSecretKey(null, ${JSON.stringify(folder)}).toString('hex'));`;
    const start = () => promisify(execFile)(process.execPath, ['-r', RUN_SOURCES, '-e', script]);

    const outputs = await Promise.all([start(), start()]);

    expect(new Set(outputs.map(({ stdout }) => stdout)).size).toBe(1);
    expect(outputs[0].stdout).toMatch(/^[0-9a-f]{64}$/);
    expect(readdirSync(folder)).toEqual(['secret.key']);
  });

  // Buffer.from(text, 'hex') takes what it can read, so an emptied file was a key of no bytes.
  it.each([[''], ['abcd'], ['z'.repeat(64)], [`${'a'.repeat(64)}b`]])(
    'that was damaged to %j ends the start',
    (content) => {
      writeFileSync(join(folder, 'secret.key'), content);

      expect(() => loadSecretKey(null, folder)).toThrow(
        /secret\.key is damaged: it must hold 32 bytes in hex\.$/,
      );
    },
  );

  it('may end in a line break', () => {
    writeFileSync(join(folder, 'secret.key'), `${'ab'.repeat(32)}\n`);

    expect(loadSecretKey(null, folder).toString('hex')).toBe('ab'.repeat(32));
  });

  it('gives an independent key for each purpose, always the same', () => {
    const secret = Buffer.from('a secret of the operator', 'utf8');

    expect(deriveKey(secret, 'user ids')).toMatch(/^[0-9a-f]{64}$/);
    expect(deriveKey(secret, 'user ids')).toBe(deriveKey(secret, 'user ids'));
    expect(deriveKey(secret, 'answers')).not.toBe(deriveKey(secret, 'user ids'));
    expect(deriveKey(Buffer.from('another'), 'user ids')).not.toBe(deriveKey(secret, 'user ids'));
  });
});
