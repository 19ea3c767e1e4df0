import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { transformFileSync } from '@swc/core';

const ROOT = join(__dirname, '../..');

export type Build = Readonly<{ main: string; remove: () => void }>;

/**
 * The product as plain JavaScript, to be run by Node without any help. `SCHNEEAI_DIST` names a folder that `npm run build`
 * has made; without it the sources are compiled here, which takes a second where the type checker takes half a minute.
 */
export function buildProduct(): Build {
  const given = process.env['SCHNEEAI_DIST'];
  if (given !== undefined) return { main: join(ROOT, given, 'main.js'), remove: () => undefined };
  const folder = mkdtempSync(join(tmpdir(), 'schneeai-built-'));
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const file of readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.ts')) compile(file, join(folder, 'dist', file.replace(/\.ts$/, '.js')));
    else copyAsset(file, join(folder, 'dist', file));
  }
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return { main: join(folder, 'dist', 'main.js'), remove };
}

function compile(file: string, to: string): void {
  const { code } = transformFileSync(join(ROOT, 'src', file), {
    configFile: join(ROOT, '.swcrc'),
    sourceMaps: false,
  });
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, code);
}

function copyAsset(file: string, to: string): void {
  if (/\.[a-z]+$/.test(file)) cpSync(join(ROOT, 'src', file), to);
}
