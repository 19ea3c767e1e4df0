import {
  chmodSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ClosingSpool } from '../../../../src/infra/store/spool/closing-spool';
import { SpoolFolder } from '../../../../src/infra/store/spool/spool-folder';
import type { SpoolObserver } from '../../../../src/infra/store/spool/spool-observer';
import { lineOf } from '../../../../src/infra/store/spool/spooled-line';
import { StoreUnavailable } from '../../../../src/usecase/port/store-unavailable';
import { closing } from '../../../support/store/sample-records';
import { temporaryFolder } from '../../../support/store/sqlite-stores';

const AWAY = new StoreUnavailable('away');
const UNHEARD: SpoolObserver = { depth: () => undefined, kept: () => undefined, written: () => undefined };

describe('the spool', () => {
  let parent: ReturnType<typeof temporaryFolder>;
  let path: string;
  let folder: SpoolFolder;
  let spool: ClosingSpool;
  beforeEach(() => {
    parent = temporaryFolder();
    path = join(parent.path, 'spool');
    folder = new SpoolFolder(path);
    spool = new ClosingSpool(folder, UNHEARD);
  });
  afterEach(() => parent.remove());

  const onlyFile = async () => (await spool.files())[0]!;
  const idsIn = async (): Promise<string[]> => {
    const contents = await Promise.all((await spool.files()).map((file) => folder.read(file)));
    return contents.flatMap((content) => content!.closings.map(({ requestId }) => requestId));
  };

  it('is empty, and makes no folder, until something is kept', async () => {
    expect(await spool.files()).toEqual([]);
    expect(readdirSync(parent.path)).toEqual([]);
  });

  it('keeps what comes at once in one file, in its order, that only we may read', async () => {
    await Promise.all(['req_1', 'req_2', 'req_3'].map((id) => spool.keep(closing(id), AWAY)));

    expect(await idsIn()).toEqual(['req_1', 'req_2', 'req_3']);
    const file = await onlyFile();
    expect(file.closings).toBe(3);
    expect(statSync(join(path, file.name)).mode & 0o777).toBe(0o600);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('lists the oldest file first', async () => {
    let nowMs = 1_000;
    const dated = new SpoolFolder(path, () => nowMs);
    await dated.write([closing('req_1')]);
    nowMs = 20_000;
    await dated.write([closing('req_2')]);

    expect(await idsIn()).toEqual(['req_1', 'req_2']);
  });

  it('gives nothing of a file that another process has just removed', async () => {
    await spool.keep(closing('req_1'), AWAY);
    const file = await onlyFile();
    await folder.remove(file);

    expect(await folder.read(file)).toBeNull();
    await folder.remove(file);
  });

  it('refuses more than it may hold', async () => {
    const small = new ClosingSpool(folder, UNHEARD, 100);
    await small.keep(closing('req_1'), AWAY);

    await expect(small.keep(closing('req_2'), AWAY)).rejects.toBeInstanceOf(StoreUnavailable);

    expect(await idsIn()).toEqual(['req_1']);
  });

  it('counts what was there before, for that limit', async () => {
    await spool.keep(closing('req_1'), AWAY);
    const next = new ClosingSpool(folder, UNHEARD, 100);
    await next.files();

    await expect(next.keep(closing('req_2'), AWAY)).rejects.toBeInstanceOf(StoreUnavailable);
  });

  it('says so when the disk takes nothing, and leaves nothing half written', async () => {
    writeFileSync(path, 'a file where the folder should be');

    await expect(spool.keep(closing('req_1'), AWAY)).rejects.toBeInstanceOf(StoreUnavailable);

    expect(readFileSync(path, 'utf8')).toBe('a file where the folder should be');
  });

  it('has everything on disk when it is drained, and takes no more then', async () => {
    const keeping = spool.keep(closing('req_1'), AWAY);

    await spool.drain();

    await keeping;
    expect(await idsIn()).toEqual(['req_1']);
    await expect(spool.keep(closing('req_2'), AWAY)).rejects.toBeInstanceOf(StoreUnavailable);
  });

  describe('after a kill in the middle of a write', () => {
    const [first, second] = [lineOf(closing('req_1')), lineOf(closing('req_2'))];

    async function torn(text: string): Promise<string> {
      await spool.keep(closing('req_0'), AWAY);
      const { name } = await onlyFile();
      await folder.remove({ name, closings: 1, bytes: 0 });
      const part = join(path, `${name}.part`);
      writeFileSync(part, text);
      return part;
    }

    it('leaves the file alone while its writer may be alive', async () => {
      await torn(first);

      expect(await spool.files()).toEqual([]);
    });

    it('takes its whole lines a minute later, and none that was cut short', async () => {
      const part = await torn(first + second);
      truncateSync(part, first.length + second.length - 10);
      const longAgo = Date.now() / 1_000 - 61;
      utimesSync(part, longAgo, longAgo);

      const content = (await folder.read(await onlyFile()))!;

      expect(content.closings.map(({ requestId }) => requestId)).toEqual(['req_1']);
      expect(content.damagedLines).toBe(1);
    });
  });

  it('keeps a damaged file for a human, and lists it no more', async () => {
    await spool.keep(closing('req_1'), AWAY);
    const file = await onlyFile();
    chmodSync(join(path, file.name), 0o600);
    writeFileSync(join(path, file.name), `${'0'.repeat(64)} {}\n${lineOf(closing('req_2'))}`);

    const content = (await folder.read(file))!;
    const aside = await folder.setAside(file);

    expect(content).toMatchObject({ closings: [{ requestId: 'req_2' }], damagedLines: 1 });
    expect(readFileSync(aside, 'utf8')).toContain('req_2');
    expect(await spool.files()).toEqual([]);
  });
});
