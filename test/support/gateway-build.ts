import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { transformFileSync } from '@swc/core';

const ROOT = join(__dirname, '../..');
const SOURCES = join(ROOT, 'src');
/** Below `node_modules`, where the packages are found that aren't bundled. */
const BUILDS = join(ROOT, 'node_modules/.cache/schneeai-builds');

const HOUR_MS = 3_600_000;

export type Build = Readonly<{ main: string }>;

/**
 * The product as `npm run build` makes it, but that swc takes the types away: a second where the type checker takes half a
 * minute. It is built once for the sources as they are, however many test files ask at once.
 */
export function buildProduct(): Build {
  const folder = join(BUILDS, stateOfSources());
  const main = join(folder, 'dist/main.js');
  if (existsSync(main)) return { main };
  const draft = `${folder}.${randomBytes(4).toString('hex')}`;
  build(draft);
  forgetOthers(folder);
  try {
    renameSync(draft, folder);
  } catch {
    // Another test file was faster, and its build is the same.
    rmSync(draft, { recursive: true });
  }
  return { main };
}

function build(folder: string): void {
  for (const file of sources()) compile(file, join(folder, 'dist/modules', file.replace(/\.ts$/, '.js')));
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  execFileSync(process.execPath, [join(ROOT, 'tools/bundle.mjs')], { cwd: folder });
}

function compile(file: string, to: string): void {
  const { code } = transformFileSync(join(SOURCES, file), {
    configFile: join(ROOT, '.swcrc'),
    sourceMaps: false,
  });
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, code);
}

function sources(): readonly string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort();
}

function stateOfSources(): string {
  const state = createHash('sha256');
  const inputs = [...sources().map((file) => join('src', file)), 'tools/bundle.mjs', 'package-lock.json'];
  for (const file of inputs) {
    const { mtimeMs, size } = statSync(join(ROOT, file));
    state.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return state.digest('hex').slice(0, 16);
}

/** Whole builds that no run can still be using. */
function forgetOthers(current: string): void {
  for (const name of readdirSync(BUILDS)) {
    const folder = join(BUILDS, name);
    if (folder === current || name.includes('.')) continue;
    if (Date.now() - statSync(folder).mtimeMs > HOUR_MS) rmSync(folder, { recursive: true, force: true });
  }
}
