import { join } from 'node:path';
import { sha256 } from '../../../../src/infra/runtime/sha256';
import { VerifyAudit } from '../../../../src/usecase/audit/verify-audit';
import { closing, opening } from '../../../support/store/sample-records';
import { endOf, spawnScript } from '../../../support/store/child-process';
import { openSqliteStores, temporaryFolder } from '../../../support/store/sqlite-stores';

jest.setTimeout(60_000);

describe('chains of several writers on one file', () => {
  const folder = temporaryFolder();
  afterAll(folder.remove);

  it('verify after their processes were killed while they wrote', async () => {
    const path = join(folder.path, 'killed.db');
    const children = ['one', 'two'].map((prefix) => spawnScript('close-until-killed.ts', path, prefix));
    const ends = children.map(endOf);
    const acknowledged = await Promise.all(
      children.map(
        (child) =>
          new Promise<string[]>((resolve) => {
            let text = '';
            child.stdout.setEncoding('utf8').on('data', (piece: string) => {
              text += piece;
              if (text.split('\n').length > 100) child.kill('SIGKILL');
            });
            child.stdout.on('close', () => resolve(text.split('\n').slice(0, -1)));
          }),
      ),
    );
    await Promise.all(ends);

    const stores = await openSqliteStores(path);
    await stores.interactions.open(opening('req_after'));
    await stores.interactions.close(closing('req_after'));
    const { chains, verifiedOf, breaks } = await new VerifyAudit({
      chains: stores.auditChains,
      hash: sha256,
    }).execute();
    await stores.close();

    expect(breaks).toEqual([]);
    expect(chains).toHaveLength(3);
    expect(chains[2]?.verified).toBe(1);
    expect(verifiedOf.get('ten_1')).toBeGreaterThanOrEqual(acknowledged.flat().length + 1);
  });

  it('are verified while they grow', async () => {
    const path = join(folder.path, 'growing.db');
    const [one, two] = [await openSqliteStores(path), await openSqliteStores(path)];
    const write = async (prefix: string, stores: typeof one): Promise<void> => {
      for (let number = 0; number < 200; number += 1) {
        await stores.interactions.open(opening(`${prefix}_${number}`));
        await stores.interactions.close(closing(`${prefix}_${number}`));
      }
    };
    const writing = Promise.all([write('a', one), write('b', two)]);
    const verify = new VerifyAudit({ chains: one.auditChains, hash: sha256 });
    const during: number[] = [];
    for (let round = 0; round < 20; round += 1) during.push((await verify.execute()).breaks.length);
    await writing;
    const { chains, breaks } = await verify.execute();
    await Promise.all([one.close(), two.close()]);

    expect(during).toEqual(Array.from({ length: 20 }, () => 0));
    expect(breaks).toEqual([]);
    expect(chains.map(({ verified }) => verified)).toEqual([200, 200]);
  });
});
