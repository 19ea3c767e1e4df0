import { UNRESTRICTED, type Eligibility } from '../../../src/domain/tenant/eligibility';
import { ListModels } from '../../../src/usecase/catalog/list-models';
import { InMemoryConfiguration } from '../../support/in-memory-configuration';
import { sampleEntries, withOffering, aTenant } from '../../support/sample-catalog';
import { aVersion } from '../../support/sample-policy';

const NOW_MS = 1_000;
const GPT = { id: 'gpt-s', ownedBy: 'openai' };
const CLAUDE = { id: 'claude-s', ownedBy: 'anthropic' };
const MISTRAL = { id: 'mistral-s', ownedBy: 'mistral' };

const excluded = (provider: string, model: string | null, untilMs: number | null) => ({
  provider,
  model,
  note: '',
  untilMs,
});

describe('list models', () => {
  const listed = async (
    eligibility: Partial<Eligibility>,
    match: string[] = [],
    entries = sampleEntries(),
  ) => {
    const configuration = new InMemoryConfiguration(entries);
    if (match.length > 0) await configuration.append({ ...aVersion({ match }), tenant: 'ten_1', version: 1 });
    const tenant = aTenant({ eligibility: { ...UNRESTRICTED, ...eligibility } });
    return new ListModels({ configuration, clock: { nowMs: () => NOW_MS } }).execute(tenant);
  };

  it.each<[name: string, eligibility: Partial<Eligibility>, models: object[]]>([
    ['all without rules', {}, [GPT, CLAUDE, MISTRAL]],
    ['those of allowed regions', { allowedRegions: ['us'] }, [GPT, CLAUDE]],
    ['those with one channel in an allowed region', { allowedRegions: ['eu-*'] }, [GPT, MISTRAL]],
    ['none without regions', { allowedRegions: [] }, []],
    ['none of an excluded provider', { exclusions: [excluded('anthropic', null, null)] }, [GPT, MISTRAL]],
    [
      'those that another provider serves',
      { exclusions: [excluded('openai', null, null)] },
      [GPT, CLAUDE, MISTRAL],
    ],
    [
      'none that every provider excludes',
      { exclusions: [excluded('openai', 'gpt-s', null), excluded('azure', null, null)] },
      [CLAUDE, MISTRAL],
    ],
    [
      'those whose exclusion has ended',
      { exclusions: [excluded('anthropic', null, NOW_MS)] },
      [GPT, CLAUDE, MISTRAL],
    ],
    ['none whose exclusion lasts', { exclusions: [excluded('anthropic', null, NOW_MS + 1)] }, [GPT, MISTRAL]],
    ['those on the allow list', { allowList: [{ provider: 'mistral', model: null }] }, [MISTRAL]],
  ])('%s', async (_name, eligibility, models) => {
    expect(await listed(eligibility)).toEqual(models);
  });

  it('none whose every offering is switched off', async () => {
    expect(await listed({}, [], withOffering(sampleEntries(), 'an', { enabled: false }))).toEqual([
      GPT,
      MISTRAL,
    ]);
  });

  it('names that only a policy of the tenant answers to, once, and no patterns', async () => {
    expect(await listed({}, ['auto', 'gpt-s', 'gpt-*', '*'])).toEqual([
      GPT,
      CLAUDE,
      MISTRAL,
      { id: 'auto', ownedBy: 'schneeai' },
    ]);
  });

  it('no model by its policy’s name that the tenant’s rules exclude', async () => {
    expect(await listed({ exclusions: [excluded('anthropic', null, null)] }, ['claude-s', 'auto'])).toEqual([
      GPT,
      MISTRAL,
      { id: 'auto', ownedBy: 'schneeai' },
    ]);
  });
});
