import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { plantedOffences, type Offence } from './planted-offences';

type Message = Readonly<{ file: string; line: number; rule: string; message: string }>;
type Rule = Readonly<{ block: string; rule: string; text: string }>;
type Run = Readonly<{ messages: readonly Message[]; rules: readonly Rule[] }>;

const root = join(__dirname, 'offenders/syntax');

/** Where a block of eslint.config.cjs must have its offenders. */
const folderOf: Record<string, string> = {
  'schneeai/everywhere': '',
  'schneeai/src': 'src/infra/',
  'schneeai/usecase': 'src/usecase/',
  'schneeai/domain': 'src/domain/',
  'schneeai/test': 'test/',
};

const lint = (): Run => {
  const script = join(__dirname, 'lint-offenders.mjs');
  const { stdout, stderr, status } = spawnSync(process.execPath, [script], { maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(stderr.toString());
  return JSON.parse(stdout.toString()) as Run;
};

const isAt = (offence: Offence, { file, line, rule, message }: Message): boolean =>
  file === offence.file && line === offence.line && rule === offence.rule && message.includes(offence.text);

const proves = ({ block, rule, text }: Rule, { file, rule: fired, message }: Message): boolean =>
  file.startsWith(folderOf[block] ?? block) && fired === rule && message.includes(text);

describe('lint rules', () => {
  const planted = plantedOffences(root);
  let run: Run;

  beforeAll(() => {
    run = lint();
  }, 30_000);

  it.each(planted)('$rule $text catches $file:$line', (offence) => {
    const fired = run.messages.filter((message) => isAt(offence, message));

    expect(fired).toHaveLength(1);
  });

  it('find nothing that was not planted', () => {
    const surprises = run.messages.filter((message) => !planted.some((offence) => isAt(offence, message)));

    expect(surprises).toEqual([]);
  });

  it('each have an offender, in every layer for which they are set', () => {
    const unproven = run.rules.filter((rule) => !run.messages.some((message) => proves(rule, message)));

    expect(unproven).toEqual([]);
  });
});
