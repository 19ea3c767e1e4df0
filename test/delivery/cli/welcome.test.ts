import { welcome } from '../../../src/delivery/cli/welcome';

const KEYS = { chat: 'sk-chat', operator: 'sk-operator' };
const BASE = 'http://127.0.0.1:8080';

describe('welcome', () => {
  it('shows the keys once, ready to be copied', () => {
    const text = welcome({ baseUrl: BASE, providers: ['openai', 'anthropic'], sandbox: true, keys: KEYS });

    expect(text.split('\n').filter((line) => line.startsWith('  export '))).toEqual([
      '  export SCHNEEAI_URL=http://127.0.0.1:8080',
      '  export SCHNEEAI_KEY=sk-chat',
      '  export SCHNEEAI_OPERATOR_KEY=sk-operator',
    ]);
    expect(text).toContain('These keys are shown once.');
    expect(text).toContain('curl -s $SCHNEEAI_URL/v1/chat/completions');
  });

  it.each<[name: string, sandbox: boolean, providers: string[], line: string]>([
    [
      'a sandbox',
      true,
      ['openai', 'anthropic'],
      'SANDBOX: openai and anthropic are simulated on this machine. Set OPENAI_API_KEY or ANTHROPIC_API_KEY for real ones.',
    ],
    ['real providers', false, ['openai', 'anthropic'], 'Providers: openai, anthropic'],
    ['no provider', false, [], 'Providers: none yet; register one with the admin API'],
  ])('says what answers: %s', (_name, sandbox, providers, line) => {
    const lines = welcome({ baseUrl: BASE, providers, sandbox, keys: null }).split('\n');

    expect(lines[0]).toBe('SchneeAI Gateway is listening on http://127.0.0.1:8080');
    expect(lines[1]).toBe(line);
  });

  it('says at a later start how to get a new key', () => {
    const text = welcome({ baseUrl: BASE, providers: [], sandbox: true, keys: null });

    expect(text).toContain('npm run schneeai -- keys create --help');
    expect(text).not.toContain('export');
  });
});
