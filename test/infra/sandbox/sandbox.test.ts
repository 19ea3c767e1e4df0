import { Sandbox } from '../../../src/infra/sandbox/sandbox';
import { SandboxCredentials } from '../../../src/infra/sandbox/sandbox-credentials';

describe('sandbox', () => {
  let sandbox: Sandbox;
  let credentials: SandboxCredentials;

  beforeAll(async () => {
    credentials = new SandboxCredentials();
    sandbox = await Sandbox.start(credentials);
  });
  afterAll(() => sandbox.stop());

  const ask = async (credential: string | null): Promise<Response> =>
    fetch(`${sandbox.baseUrl('openai')}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: '{"model":"gpt-4o-mini","messages":[{"role":"user","content":"Hello"}]}',
    });

  it('simulates both providers on loopback', () => {
    expect(sandbox.baseUrl('openai')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    expect(sandbox.baseUrl('anthropic')).toMatch(/^http:\/\/127\.0\.0\.1:\d+/);
    expect(sandbox.providers()).toEqual([
      { name: 'openai', fault: 'healthy', calls: 0 },
      { name: 'anthropic', fault: 'healthy', calls: 0 },
    ]);
  });

  it('describes every fault that can be switched', () => {
    const names = sandbox.faults().map(({ name }) => name);

    expect(names).toEqual(expect.arrayContaining(['healthy', 'down', 'rate_limited', 'hang', 'cut_stream']));
    for (const name of names) expect(sandbox.switchFault('anthropic', name)).toBe('switched');
    sandbox.switchFault('anthropic', 'healthy');
  });

  it('answers our credential, counts the call, and breaks and mends at once', async () => {
    const credential = await credentials.read('openai');
    expect((await ask(credential)).status).toBe(200);

    sandbox.switchFault('openai', 'down');
    expect((await ask(credential)).status).toBe(503);
    expect(sandbox.providers()[0]).toEqual({ name: 'openai', fault: 'down', calls: 2 });

    sandbox.switchFault('openai', 'healthy');
    expect((await ask(credential)).status).toBe(200);
  });

  it('answers no other credential', async () => {
    expect((await ask(await credentials.read('anthropic'))).status).toBe(401);
  });

  it.each([
    ['azure', 'down', 'unknown_provider'],
    ['__proto__', 'down', 'unknown_provider'],
    ['azure', 'meteor', 'unknown_provider'],
    ['openai', 'meteor', 'unknown_fault'],
    ['openai', 'constructor', 'unknown_fault'],
  ])('switches %s to %s: %s', (provider, fault, outcome) => {
    expect(sandbox.switchFault(provider, fault)).toBe(outcome);
    expect(sandbox.providers()[0]?.fault).toBe('healthy');
  });
});

describe('sandbox credentials', () => {
  it('are known by name, of this process only, and never the same', async () => {
    const credentials = new SandboxCredentials();

    const issued = credentials.issue('openai');

    expect(issued).toMatch(/^sandbox-[0-9a-f]{32}$/);
    expect(await credentials.read('openai')).toBe(issued);
    expect(await credentials.read('anthropic')).toBeNull();
    expect(new SandboxCredentials().issue('openai')).not.toBe(issued);
  });
});
