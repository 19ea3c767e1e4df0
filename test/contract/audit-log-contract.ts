import type { AuditFilter, AuditPosition } from '../../src/usecase/port/audit-log';
import { closing, opening } from '../support/store/sample-records';
import type { OpenStores, Stores } from './stores';

/** Three interactions that differ in whatever a filter can ask for. */
async function writeThree({ interactions }: Stores): Promise<void> {
  await interactions.open(opening('req_a', { openedAtMs: 1_000 }));
  await interactions.close(closing('req_a'));
  await interactions.open(
    opening('req_b', {
      openedAtMs: 2_000,
      tenant: 'ten_2',
      apiKey: 'key_2',
      requestedModel: 'gpt-4o-mini',
      service: 'search',
      feature: 'answers',
    }),
  );
  await interactions.close(
    closing('req_b', {
      served: { route: 'off_haiku', provider: 'anthropic', model: 'claude-haiku-4-5', upstreamName: 'haiku' },
      fallbackReason: 'primary_provider_5xx',
    }),
  );
  await interactions.open(opening('req_c', { openedAtMs: 3_000, service: null, feature: null }));
}

export function auditLogContract(openStores: OpenStores): void {
  let stores: Stores;
  beforeEach(async () => {
    stores = await openStores();
  });
  afterEach(() => stores.close());

  const idsOf = async (filter: AuditFilter, after: AuditPosition | null = null, limit = 10) => {
    const page = await stores.auditLog.page(filter, { after, limit });
    return page.records.map((record) => record.requestId);
  };

  it('finds nothing under an unknown id', async () => {
    expect(await stores.auditLog.find('req_none')).toBeUndefined();
  });

  describe('filters', () => {
    it.each<[string, AuditFilter, string[]]>([
      ['nothing asked', {}, ['req_c', 'req_b', 'req_a']],
      ['tenant', { tenant: 'ten_1' }, ['req_c', 'req_a']],
      ['tenant that has none', { tenant: 'ten_3' }, []],
      ['from, included', { fromMs: 2_000 }, ['req_c', 'req_b']],
      ['from, one later', { fromMs: 2_001 }, ['req_c']],
      ['to, excluded', { toMs: 2_000 }, ['req_a']],
      ['to, one later', { toMs: 2_001 }, ['req_b', 'req_a']],
      ['state open', { state: 'open' }, ['req_c']],
      ['state served', { state: 'served' }, ['req_b', 'req_a']],
      ['state failed', { state: 'failed' }, []],
      ['requested model', { requestedModel: 'gpt-4o-mini' }, ['req_b']],
      ['served provider', { servedProvider: 'openai' }, ['req_a']],
      ['served model', { servedModel: 'claude-haiku-4-5' }, ['req_b']],
      ['with a failover', { fallback: true }, ['req_b']],
      ['without a failover', { fallback: false }, ['req_c', 'req_a']],
      ['key', { apiKey: 'key_2' }, ['req_b']],
      ['service', { service: 'search' }, ['req_b']],
      ['feature', { feature: 'summary' }, ['req_a']],
      ['all at once', { tenant: 'ten_1', fromMs: 500, state: 'served', fallback: false }, ['req_a']],
      ['conditions that exclude each other', { tenant: 'ten_1', apiKey: 'key_2' }, []],
    ])('%s', async (_, filter, expected) => {
      await writeThree(stores);

      expect(await idsOf(filter)).toEqual(expected);
    });
  });

  describe('pages', () => {
    it('go on after the last record, and end with no next one', async () => {
      await writeThree(stores);

      const first = await stores.auditLog.page({}, { after: null, limit: 2 });
      const second = await stores.auditLog.page({}, { after: first.next, limit: 2 });

      expect(first).toMatchObject({
        records: [{ requestId: 'req_c' }, { requestId: 'req_b' }],
        next: { openedAtMs: 2_000, requestId: 'req_b' },
      });
      expect(second).toMatchObject({ records: [{ requestId: 'req_a' }], next: null });
    });

    it('have no next one when the last record fills them', async () => {
      await writeThree(stores);

      expect((await stores.auditLog.page({}, { after: null, limit: 3 })).next).toBeNull();
    });

    it('carry the ledger of each record', async () => {
      await writeThree(stores);

      const { records } = await stores.auditLog.page({}, { after: null, limit: 10 });

      expect(records.map((record) => record.ledger.map((row) => row.outcome))).toEqual([
        ['running'],
        ['served'],
        ['served'],
      ]);
    });

    it('show every record of one millisecond once', async () => {
      const ids = ['req_1', 'req_2', 'req_3', 'req_4', 'req_5'];
      await Promise.all(ids.map((id) => stores.interactions.open(opening(id))));

      const after = (requestId: string) => ({ openedAtMs: opening(requestId).openedAtMs, requestId });
      const pages = [
        await idsOf({}, null, 2),
        await idsOf({}, after('req_4'), 2),
        await idsOf({}, after('req_2'), 2),
      ];

      expect(pages).toEqual([['req_5', 'req_4'], ['req_3', 'req_2'], ['req_1']]);
    });

    it('neither repeat nor lose a record while others are added', async () => {
      await writeThree(stores);
      const first = await stores.auditLog.page({}, { after: null, limit: 1 });

      await stores.interactions.open(opening('req_newer', { openedAtMs: 4_000 }));

      expect(await idsOf({}, first.next)).toEqual(['req_b', 'req_a']);
    });

    it.each([
      ['a record that is not there', 'req_ba'],
      ["another tenant's record, so that nobody learns of it", 'req_b'],
    ])('go on from the place of %s', async (_, requestId) => {
      await writeThree(stores);

      expect(await idsOf({ tenant: 'ten_1' }, { openedAtMs: 2_000, requestId })).toEqual(['req_a']);
    });
  });
}
