import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../src/container/run-command';

type Outcome = Readonly<{ exitCode: unknown; out: string; err: string }>;

describe('schneeai', () => {
  const environment = { ...process.env };
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'schneeai-command-'));
    process.env['SCHNEEAI_DATA_DIR'] = join(folder, 'data');
  });
  afterEach(() => {
    jest.restoreAllMocks();
    for (const name of ['SCHNEEAI_DATA_DIR', 'PORT', 'LOG_LEVEL']) {
      if (environment[name] === undefined) delete process.env[name];
      else process.env[name] = environment[name];
    }
    rmSync(folder, { recursive: true, force: true });
  });

  const run = async (...args: string[]): Promise<Outcome> => {
    let out = '';
    let err = '';
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((out += String(text))));
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((err += String(text))));
    const before = process.exitCode;
    await runCommand(args);
    const { exitCode } = process;
    process.exitCode = before;
    jest.restoreAllMocks();
    return { exitCode, out, err };
  };

  it.each<[args: string[]]>([[[]], [['--help']], [['help']], [['serve', '--help']]])(
    '%j shows the commands',
    async (args) => {
      const { exitCode, out, err } = await run(...args);

      expect(exitCode).toBe(0);
      expect(out).toMatch(/^schneeai \d+\.\d+\.\d+\n[^]*schneeai serve[^]*schneeai keys create/);
      expect(err).toBe('');
    },
  );

  it('--version shows it alone', async () => {
    expect((await run('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each<[name: string, args: string[], reason: RegExp]>([
    ['an unknown command', ['start'], /^There is no command 'start'\./],
    ['an inherited name', ['constructor'], /^There is no command 'constructor'\./],
    // A start that ignored it would listen elsewhere than was meant.
    [
      'an argument that serve doesn’t take',
      ['serve', '--port', '80'],
      /^'serve' takes no arguments, not '--port 80'\./,
    ],
  ])('exits with 2 on %s, and touches nothing', async (_name, args, reason) => {
    const { exitCode, out, err } = await run(...args);

    expect(exitCode).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(reason);
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });

  it('exits with 2 on settings that it can’t follow, and names all of them', async () => {
    process.env['PORT'] = 'http';
    process.env['LOG_LEVEL'] = 'loud';

    const { exitCode, err } = await run('serve');

    expect(exitCode).toBe(2);
    expect(err.trim().split('\n')).toEqual([
      "PORT must be a whole number from 0 to 65535, not 'http'.",
      "LOG_LEVEL must be one of trace, debug, info, warn, error, silent, not 'loud'.",
    ]);
  });

  it('keys create makes a key in the store, and prints its secret alone', async () => {
    const { exitCode, out, err } = await run('keys', 'create', '--scope', 'operator', '--name', 'rescue');

    expect(exitCode).toBe(0);
    expect(out).toMatch(/^sk-schnee-[A-Za-z0-9_-]{32}\n$/);
    expect(err).toBe('');
  });

  it.each([
    {
      name: 'a request that is served',
      args: ['--model', 'auto'],
      outcome: [0, /^Begins with: initial to gpt-4o-mini/m, /^$/],
    },
    {
      name: 'a model that nobody has',
      args: ['--model', 'none'],
      outcome: [2, /^$/, /request\.model: no model "none"/],
    },
    { name: 'a missing option', args: [], outcome: [2, /^$/, /^Name a --model\.\n\nschneeai explain/] },
  ] as const)('explain answers $name without a store, and makes none', async ({ args, outcome }) => {
    const [exitCode, out, err] = outcome;

    const explained = await run('explain', '--tenant', 'demo', '--policy', 'mini-first', ...args);

    expect(explained.exitCode).toBe(exitCode);
    expect(explained.out).toMatch(out);
    expect(explained.err).toMatch(err);
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });
});
