import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildProduct } from '../support/gateway-build';

// A daily check with a wrong folder made a store there, found it intact, and would have gone on doing so.
it('schneeai audit verify ends with 2 where no store is, and makes none', () => {
  const { main } = buildProduct();
  const folder = mkdtempSync(join(tmpdir(), 'schneeai-audit-verify-'));
  try {
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'audit', 'verify'], {
      cwd: folder,
      env: { PATH: process.env['PATH'] },
      encoding: 'utf8',
    });

    expect(stdout).toBe('');
    expect(stderr).toContain('There is no store at data/schneeai.db.');
    expect(status).toBe(2);
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 60_000);
