import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

type Verdict =
  | 'fits'
  | 'not kebab-case'
  | 'says nothing'
  | 'outside the layers'
  | 'outside a concept folder'
  | 'deeper than a concept folder';

const project = join(__dirname, '../..');
const kebabCase = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.test)?\.[a-z]+$/;
const kebabFolder = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const saysNothing =
  /^(?:utils?|helpers?|common|shared|misc|types?|index|i-.+|.+-(?:utils?|helpers?|impl|manager|base|part-?\d+))$/;
const layers = ['domain', 'usecase', 'delivery', 'infra', 'container'];
const layersOfConcepts = ['domain', 'usecase'];

const wellNamed = (folders: readonly string[], file: string): Verdict => {
  if (!kebabCase.test(file) || !folders.every((folder) => kebabFolder.test(folder))) return 'not kebab-case';
  const names = [...folders, file.replace(/(?:\.test)?\.[a-z]+$/, '')];
  return names.some((name) => saysNothing.test(name)) ? 'says nothing' : 'fits';
};

const wellPlaced = ([top, layer, ...inside]: readonly string[]): Verdict => {
  if (top !== 'src' || layer === undefined) return 'fits';
  if (!layers.includes(layer)) return 'outside the layers';
  if (!layersOfConcepts.includes(layer) || inside.length === 1) return 'fits';
  return inside.length === 0 ? 'outside a concept folder' : 'deeper than a concept folder';
};

/** STYLE §1 and §2: names of files and folders, and where a file of `src` may stand. */
const judge = (path: string): Verdict => {
  const folders = path.split('/');
  const file = folders.pop() ?? '';
  const naming = wellNamed(folders, file);
  return naming === 'fits' ? wellPlaced(folders) : naming;
};

const isOurs = (path: string): boolean =>
  !path.startsWith('test/fixtures/') && !path.startsWith('test/architecture/offenders/');

const filesUnder = (top: string): string[] => {
  const folder = join(project, top);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(project.length + 1))
    .filter(isOurs);
};

describe('file names', () => {
  it.each<[string, Verdict]>([
    ['src/main.ts', 'fits'],
    ['src/domain/kernel/assert-never.ts', 'fits'],
    ['src/delivery/http/admin/routing/policy-controller.ts', 'fits'],
    ['test/domain/health/circuit-breaker.test.ts', 'fits'],
    ['src/infra/store/sqlite/migration/0001-first.ts', 'fits'],
    ['src/domain/health/CircuitBreaker.ts', 'not kebab-case'],
    ['src/domain/health/circuit_breaker.ts', 'not kebab-case'],
    ['src/domain/health/circuit-breaker.type.ts', 'not kebab-case'],
    ['src/infra/openAi/signal.ts', 'not kebab-case'],
    ['src/domain/routing/utils.ts', 'says nothing'],
    ['src/domain/routing/plan-helpers.ts', 'says nothing'],
    ['src/infra/common/clock.ts', 'says nothing'],
    ['src/domain/routing/types.ts', 'says nothing'],
    ['src/domain/index.ts', 'says nothing'],
    ['src/usecase/port/i-clock.ts', 'says nothing'],
    ['src/infra/store/policy-store-impl.ts', 'says nothing'],
    ['src/usecase/chat/complete-chat-part2.ts', 'says nothing'],
    ['src/service/chat.ts', 'outside the layers'],
    ['src/domain/plan.ts', 'outside a concept folder'],
    ['src/usecase/complete-chat.ts', 'outside a concept folder'],
    ['src/domain/routing/gates/cost.ts', 'deeper than a concept folder'],
  ])('%s: %s', (path, verdict) => {
    expect(judge(path)).toBe(verdict);
  });

  it('all fit, in src and test', () => {
    const misfits = [...filesUnder('src'), ...filesUnder('test')]
      .map((path) => ({ path, verdict: judge(path) }))
      .filter(({ verdict }) => verdict !== 'fits');

    expect(misfits).toEqual([]);
  });
});
