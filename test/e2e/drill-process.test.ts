import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildProduct } from '../support/gateway-build';

let main: string;
let folder: string;
beforeAll(() => {
  ({ main } = buildProduct());
}, 60_000);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'schneeai-drill-process-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function schneeai(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'] },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('schneeai drill as a process', () => {
  it('ends with 0 where no store is, and makes none', () => {
    const { status, stdout, stderr } = schneeai('drill', '--policy', 'mini-first');

    expect(stdout).toMatch(/\n15 passed, 0 failed, 0 skipped\n$/);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  }, 60_000);

  it('ends with 1 where the store can not be read', () => {
    mkdirSync(join(folder, 'data'));
    writeFileSync(join(folder, 'data', 'schneeai.db'), 'this is no database, and never was one');

    const { status, stderr } = schneeai('drill');

    expect(stderr).toContain('schneeai.db');
    expect(status).toBe(1);
  }, 30_000);

  it('ends with 2 where it is called wrongly, and says how to call it', () => {
    const { status, stderr } = schneeai('drill', '--only', 'earthquake');

    expect(stderr).toContain("There is no drill 'earthquake'.");
    expect(stderr).toContain('schneeai drill [--tenant ID]');
    expect(status).toBe(2);
  }, 30_000);
});
