import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { container as root } from 'tsyringe';
import { checkSpool } from '../../src/container/check-spool';
import { TOKEN } from '../../src/container/token';
import type { Config } from '../../src/infra/config/config';
import { SpoolFolder } from '../../src/infra/store/spool/spool-folder';
import { temporaryFolder } from '../support/store/sqlite-stores';

describe('the check of the spool at a start', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  const check = (dataDir: string): Promise<void> => {
    const container = root.createChildContainer();
    container.register(TOKEN.config, { useValue: { dataDir } as Config });
    container.register(SpoolFolder, { useValue: new SpoolFolder(join(dataDir, 'spool')) });
    return checkSpool(container);
  };

  it('makes the folder, for us alone, and finds it the next time', async () => {
    const dataDir = join(folder.path, 'new/data');

    await check(dataDir);
    await check(dataDir);

    expect(statSync(join(dataDir, 'spool')).mode & 0o777).toBe(0o700);
  });

  it('names the setting and what it would be for, if it is a file', async () => {
    const place = join(folder.path, 'file');
    writeFileSync(place, '');

    await expect(check(place)).rejects.toThrow(
      `SCHNEEAI_DATA_DIR must name a folder that the gateway can write to, not '${place}' (ENOTDIR). ` +
        'Closing records wait there while the store is away, also with PostgreSQL.',
    );
  });
});
