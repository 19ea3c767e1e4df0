import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { startGateway } from '../../src/container/start-gateway';
import { readConfig } from '../../src/infra/config/config';

const FIRST = 'the first secret key, of enough characters';
const OTHER = 'another secret key, also of enough characters';

describe('the secret key of a start', () => {
  let dataDir: string;
  beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'schneeai-key-'))));
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  async function startAndStop(environment: Readonly<Record<string, string>>): Promise<void> {
    const config = readConfig({ PORT: '0', SCHNEEAI_DATA_DIR: dataDir, ...environment });
    if (!config.ok) throw new Error(config.error.join());
    const { gateway } = await startGateway({ config: config.value, logger: pino({ level: 'silent' }) });
    await gateway.stop();
  }

  it('must be the one that the store was used with', async () => {
    await startAndStop({ SCHNEEAI_SECRET_KEY: FIRST });
    await startAndStop({ SCHNEEAI_SECRET_KEY: FIRST });

    await expect(startAndStop({ SCHNEEAI_SECRET_KEY: OTHER })).rejects.toThrow(
      /^The store was used with another secret key\. Start with the same SCHNEEAI_SECRET_KEY/,
    );
  });

  it('is missed if the file that held it is lost', async () => {
    await startAndStop({});
    rmSync(join(dataDir, 'secret.key'));

    await expect(startAndStop({})).rejects.toThrow(/another secret key/);
  });

  it('can be replaced by whoever says so, once', async () => {
    await startAndStop({ SCHNEEAI_SECRET_KEY: FIRST });
    await startAndStop({ SCHNEEAI_SECRET_KEY: OTHER, SCHNEEAI_SECRET_KEY_REPLACED: 'true' });

    await startAndStop({ SCHNEEAI_SECRET_KEY: OTHER });
    await expect(startAndStop({ SCHNEEAI_SECRET_KEY: FIRST })).rejects.toThrow(/another secret key/);
  });
});
