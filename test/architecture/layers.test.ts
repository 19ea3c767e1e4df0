import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { plantedOffences } from './planted-offences';

type Cruise = { summary: { violations: { from: string; rule: { name: string } }[] } };
type Cruiser = { forbidden: { name: string; severity: string }[] };

const project = join(__dirname, '../..');
const root = join(__dirname, 'offenders/imports');
const configFile = join(project, '.dependency-cruiser.cjs');

/** The real configuration, run inside the planted tree, so that its anchored paths match there. */
const cruise = (): Cruise => {
  const binary = join(project, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const argv = [binary, 'src', '--config', configFile, '--output-type', 'json'];
  const { stdout, stderr } = spawnSync(process.execPath, argv, { cwd: root, maxBuffer: 2 ** 26 });
  if (stdout.length === 0) throw new Error(stderr.toString());
  return JSON.parse(stdout.toString()) as Cruise;
};

describe('layer rules', () => {
  const planted = plantedOffences(root);
  const pairs = (list: readonly { file: string; rule: string }[]): string[] =>
    list.map(({ file, rule }) => `${file}: ${rule}`).sort();
  let found: { file: string; rule: string }[];

  beforeAll(() => {
    found = cruise().summary.violations.map(({ from, rule }) => ({ file: from, rule: rule.name }));
  });

  it.each(planted)('$rule catches $file', ({ file, rule }) => {
    const fired = found.filter((violation) => violation.file === file);

    expect(fired).toEqual([{ file, rule }]);
  });

  it('leave every other file of the planted tree alone', () => {
    const offenders = planted.map(({ file }) => file);

    expect(pairs(found.filter(({ file }) => !offenders.includes(file)))).toEqual([]);
  });

  it('each have an offender', () => {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- the configuration is CommonJS without types
    const { forbidden } = require(configFile) as Cruiser;
    const proven = planted.map(({ rule }) => rule);

    expect(forbidden.map(({ name }) => name).filter((name) => !proven.includes(name))).toEqual([]);
  });
});
