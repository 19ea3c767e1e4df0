import { buildCatalog } from '../../../src/domain/catalog/catalog';
import { sandboxChosen, sandboxConflict } from '../../../src/usecase/setup/sandbox-choice';
import { aChannel } from '../../support/sample-catalog';

const REAL = aChannel({ id: 'real', credentialRef: 'env:OPENAI_API_KEY' });
const SIMULATED = aChannel({ id: 'simulated', credentialRef: 'sandbox:openai', enabled: false });

const catalog = (...channels: (typeof REAL)[]) =>
  buildCatalog({ providers: [], channels, models: [], offerings: [] });

describe('the choice of the sandbox', () => {
  it.each([
    ['auto', 'no credential, an empty catalog', false, [], true],
    ['auto', 'no credential, simulators of an earlier start', false, [SIMULATED], true],
    ['auto', 'no credential, a real channel', false, [REAL], false],
    [
      'auto',
      'no credential, a real channel that is switched off',
      false,
      [{ ...REAL, enabled: false }],
      false,
    ],
    ['auto', 'no credential, both', false, [SIMULATED, REAL], false],
    ['auto', 'a credential', true, [], false],
    ['auto', 'a credential, simulators of an earlier start', true, [SIMULATED], false],
    ['on', 'a credential and a real channel', true, [REAL], true],
    ['on', 'nothing', false, [], true],
    ['off', 'nothing', false, [], false],
    ['off', 'simulators of an earlier start', false, [SIMULATED], false],
  ] as const)('set to %s, with %s', (...row) => {
    const [setting, , credentialsPresent, channels, chosen] = row;

    expect(sandboxChosen({ setting, credentialsPresent, catalog: catalog(...channels) })).toBe(chosen);
  });
});

describe('a sandbox beside real channels', () => {
  it('does not start while one of them could be called', () => {
    expect(sandboxConflict(catalog(SIMULATED, REAL))).toBe(
      "The sandbox can't start: the channel 'real' leads to a real provider. Use another SCHNEEAI_DATA_DIR, or SCHNEEAI_SANDBOX=off.",
    );
  });

  it.each([
    ['simulators only', [SIMULATED]],
    ['a real one that is switched off', [{ ...REAL, enabled: false }]],
  ] as const)('starts with %s', (_name, channels) => {
    expect(sandboxConflict(catalog(...channels))).toBeNull();
  });
});
