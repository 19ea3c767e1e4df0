import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BuiltProduct, type Environment } from '../support/built-product';

const run = promisify(execFile);
const PROJECT = join(__dirname, '../..');

/** The fenced blocks of a document in one language, in their order. */
const blocksOf = (document: string, language: string): string[] => {
  const text = readFileSync(join(PROJECT, document), 'utf8');
  return [...text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , block = '']) => block.trim());
};

const readme = blocksOf('README.md', 'sh');
const guide = blocksOf('docs/admin-guide.md', 'sh');
const isNpm = (block: string): boolean => block.startsWith('npm ');

// A failover waits a real second, and a verification makes dozens of calls.
jest.setTimeout(20_000);

describe('what the documents tell a newcomer to type', () => {
  let folder: string;
  let product: BuiltProduct;
  let environment: Environment;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'schneeai-readme-'));
    // The lines stay as they are written; only an HTTP error must not pass for success.
    writeFileSync(join(folder, '.curlrc'), 'fail-with-body\nmax-time = 20\n');
    product = await BuiltProduct.start({ PORT: '0', SCHNEEAI_DATA_DIR: join(folder, 'data') });
    const exports = [...product.output.matchAll(/^ *export (\w+)=(\S+)$/gm)].map(
      ([, name = '', value = '']) => [name, value],
    );
    environment = { PATH: process.env['PATH'] ?? '', CURL_HOME: folder, ...Object.fromEntries(exports) };
  }, 60_000);
  afterAll(async () => {
    // Undefined where the start failed, which is then what is reported.
    await (product as BuiltProduct | undefined)?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const typed = async (block: string): Promise<string> => {
    const { stdout } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', block], {
      env: environment,
      cwd: folder,
    });
    return stdout;
  };
  /** The block with this text, which must be there once. */
  const typedWith = (part: string): Promise<string> => {
    const found = readme.filter((block) => block.includes(part));
    expect(found).toHaveLength(1);
    return typed(found[0] ?? '');
  };

  it('starts and tests it with commands that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
      scripts: object;
    };

    expect([...readme, ...guide].filter(isNpm)).toEqual(['npm ci && npm start', 'npm ci && npm test']);
    expect(scripts).toMatchObject({
      start: expect.stringContaining('dist/main.js serve'),
      test: 'node --max-semi-space-size=64 node_modules/jest/bin/jest.js',
    });
  });

  it('prints three lines to copy, and calls itself a sandbox', () => {
    expect(Object.keys(environment).filter((name) => name.startsWith('SCHNEEAI_'))).toEqual([
      'SCHNEEAI_URL',
      'SCHNEEAI_KEY',
      'SCHNEEAI_OPERATOR_KEY',
    ]);
    expect(product.output).toContain('SANDBOX: openai and anthropic are simulated on this machine.');
  });

  describe('README.md', () => {
    let failover: Record<string, unknown>;
    let requestId: string | undefined;

    it('asks, and gets what OpenAI would send and nothing else', async () => {
      const ask = readme.find((block) => block.includes('/v1/chat/completions')) ?? '';

      const answer = JSON.parse(await typed(ask));

      expect(answer).toMatchObject({ object: 'chat.completion', model: 'gpt-4o-mini' });
      expect(answer).not.toHaveProperty('schneeai');
      expect(answer).not.toHaveProperty('request_id');
    });

    it('breaks the primary, and sees the failover that the document shows', async () => {
      const output = await typedWith('{"fault":"down"}');

      const [head = '', body = ''] = output.slice(output.indexOf('HTTP/1.1')).split('\r\n\r\n');
      failover = JSON.parse(body);
      requestId = /^x-request-id: (\S+)$/im.exec(head)?.[1];
      expect(failover).toMatchObject({
        model: 'gpt-4o-mini→claude-haiku-4-5 (fallback: gpt-4o-mini)',
        schneeai: { fallback_reason: 'primary_provider_5xx', attempts: 3, served_provider: 'anthropic' },
        request_id: requestId,
      });
      expect(failover).toMatchObject(JSON.parse(blocksOf('README.md', 'json')[0] ?? ''));
      expect(head).toMatch(/^x-schneeai-provider: anthropic$/im);
      expect(head).toMatch(/^x-schneeai-fallback-reason: primary_provider_5xx$/im);
    });

    it('reads what really happened, attempt by attempt', async () => {
      const record = JSON.parse(await typedWith('$REQUEST_ID'));

      expect(record).toMatchObject({
        request_id: requestId,
        state: 'served',
        served: { provider: 'anthropic', model: 'claude-haiku-4-5' },
        ledger: [
          { number: 1, action: 'initial', provider: 'openai', status: 503 },
          { number: 2, action: 'retry', provider: 'openai', status: 503 },
          { number: 3, action: 'model_fallback', provider: 'anthropic', status: 200 },
        ],
      });
    });

    it('mends it again, and lists the faults', async () => {
      const output = await typedWith('{"fault":"healthy"}');

      const list = JSON.parse(output.slice(output.lastIndexOf('{"sandbox"')));
      expect(list).toMatchObject({ data: [{ name: 'openai', fault: 'healthy' }, { name: 'anthropic' }] });
      expect(list.faults).toContainEqual({ name: 'down', description: 'Answers 503 to every call.' });
    });

    it('has no other block', () => {
      expect(readme.filter((block) => !isNpm(block))).toHaveLength(4);
    });
  });

  it.each(guide.filter((block) => !isNpm(block)).map((block) => [block.split('\n')[0] ?? '', block]))(
    'docs/admin-guide.md: %s',
    async (_firstLine, block) => {
      const output = await typed(block);

      expect(output).toMatch(/^(?:HTTP\/1\.1 20\d[^]*)?\{.*\}$/m);
      expect(output).not.toMatch(/^\{"error":\{|"verdict":"failed"/m);
    },
  );

  it('docs/admin-guide.md: explains that the request would begin with the fallback', async () => {
    const explanations = guide.filter((block) => block.includes('/explain'));

    const answer = JSON.parse(await typed(explanations[0] ?? ''));

    expect(explanations).toHaveLength(1);
    expect(answer).toMatchObject({
      policy: { name: 'default', version: 1, draft: false },
      first: { action: 'model_fallback', provider: 'anthropic', model: 'claude-haiku-4-5' },
      refusals: [{ reason: 'circuit_open', provider: 'openai' }],
      worst_case: { cost_unknown: null },
    });
  });

  it('stops cleanly when it is asked to', async () => {
    expect(await product.stop()).toBe(0);
  });
});
