import { KEYS_USAGE, keysCommand } from '../../../src/delivery/cli/keys-command';
import type { CommandOutcome } from '../../../src/delivery/cli/command-outcome';
import { AdminGateway } from '../../support/admin-gateway';

describe('schneeai keys', () => {
  let gateway: AdminGateway;

  beforeEach(async () => {
    gateway = await AdminGateway.start();
  });

  const run = (...args: string[]): Promise<CommandOutcome> =>
    keysCommand(args, { configuration: gateway.configuration, issueKey: gateway.useCases.issueKey });

  it('create prints the secret of a new key, and nothing else', async () => {
    const outcome = await run(
      'create',
      '--tenant',
      'acme',
      '--scope',
      'chat',
      '--scope',
      'policy:read',
      '--name',
      'app',
    );

    expect(outcome).toEqual({ exitCode: 0, output: 'sk-test-0001\n' });
    expect(gateway.configuration.keysOf('acme').at(-1)).toMatchObject({
      tenantId: 'acme',
      name: 'app',
      scopes: ['chat', 'policy:read'],
      groups: [],
      groupStrategy: null,
      rpm: null,
      expiresAtMs: null,
      secretHash: gateway.secrets.hash('sk-test-0001'),
    });
  });

  it('create without a tenant makes an operator’s key', async () => {
    const outcome = await run('create', '--scope', 'operator', '--name', 'rescue');

    expect(outcome.exitCode).toBe(0);
    expect(gateway.configuration.keysOf(null).at(-1)).toMatchObject({
      tenantId: null,
      name: 'rescue',
      scopes: ['operator'],
    });
  });

  it.each<[args: string[]]>([[['--help']], [['create', '--help']], [['create', '--name', 'x', '--help']]])(
    '%j explains itself',
    async (args) => {
      expect(await run(...args)).toEqual({ exitCode: 0, output: KEYS_USAGE });
    },
  );

  it.each<[name: string, args: string[], reason: RegExp]>([
    ['no verb', [], /^schneeai keys create/],
    ['another verb', ['revoke'], /^schneeai keys create/],
    ['no scope', ['create', '--name', 'x'], /^Name at least one --scope\./],
    ['an unknown scope', ['create', '--name', 'x', '--scope', 'root'], /^There is no scope 'root'\./],
    [
      'an inherited scope',
      ['create', '--name', 'x', '--scope', 'constructor'],
      /^There is no scope 'constructor'\./,
    ],
    ['no name', ['create', '--scope', 'chat'], /^Give the key a --name\./],
    ['a blank name', ['create', '--scope', 'chat', '--name', ' '], /^Give the key a --name\./],
    [
      'an unknown option',
      ['create', '--scope', 'chat', '--name', 'x', '--admin'],
      /^Unknown option '--admin'/,
    ],
    ['a word too many', ['create', 'now', '--scope', 'chat', '--name', 'x'], /^Unexpected argument 'now'/],
    ['an option without its value', ['create', '--scope'], /^Option '--scope <value>' argument missing/],
  ])('exits with 2 on %s, says why, and shows how', async (_name, args, reason) => {
    const outcome = await run(...args);

    expect(outcome.exitCode).toBe(2);
    expect(outcome.output).toMatch(reason);
    expect(outcome.output).toContain(KEYS_USAGE);
    expect(gateway.configuration.writes).toBe(0);
  });

  it.each<[name: string, args: string[], output: string]>([
    [
      'a tenant that isn’t there',
      ['--tenant', 'nobody', '--scope', 'chat'],
      "There is no tenant 'nobody'.\n",
    ],
    [
      'an operator’s key of a tenant',
      ['--tenant', 'acme', '--scope', 'operator'],
      "A tenant's key can not have the scope 'operator'.\n",
    ],
    ['an app’s key of no tenant', ['--scope', 'chat'], 'A key without a tenant must be an operator’s.\n'],
  ])('exits with 1 on %s', async (_name, args, output) => {
    expect(await run('create', '--name', 'x', ...args)).toEqual({ exitCode: 1, output });
    expect(gateway.configuration.writes).toBe(0);
  });
});
