import { sha256 } from '../../src/infra/runtime/sha256';
import type { AuditFilter } from '../../src/usecase/port/audit-log';
import type { UsageGrouping, UsageRow } from '../../src/usecase/port/usage-reports';
import { VerifyAudit, type AuditVerification } from '../../src/usecase/audit/verify-audit';
import {
  API_KEY,
  CHANNEL,
  closing,
  failedAttempt,
  FIRST_ATTEMPT,
  opening,
  servedAttempt,
  TENANT,
} from '../support/store/sample-records';
import type { OpenStores, Stores } from './stores';

export function auditTrailContract(openStores: OpenStores): void {
  let stores: Stores;
  beforeEach(async () => {
    stores = await openStores();
  });
  afterEach(() => stores.close());

  const verify = (): Promise<AuditVerification> =>
    new VerifyAudit({ chains: stores.auditChains, hash: sha256 }).execute();

  async function serve(id: string, closedAtMs = 12_000): Promise<void> {
    await stores.interactions.open(opening(id));
    await stores.interactions.close(closing(id, { closedAtMs }));
  }

  describe('chains', () => {
    it('hold closed interactions and changes together, in the order in which they were committed', async () => {
      await serve('req_1');
      await stores.tenants.insertTenant(TENANT);
      await serve('req_2');
      await stores.interactions.open(opening('req_open'));

      const { chains, verifiedOf, breaks } = await verify();

      const [chain] = await stores.auditChains.chains();
      const entries = await stores.auditChains.entries(chain?.genesis.writer ?? '', 0, 10);
      expect(entries.map(({ kind, sequence }) => [kind, sequence])).toEqual([
        ['interaction', 1],
        ['change', 2],
        ['interaction', 3],
      ]);
      expect(breaks).toEqual([]);
      expect(chains.map(({ verified }) => verified)).toEqual([3]);
      expect(verifiedOf).toEqual(new Map([['ten_1', 2]]));
    });

    it('hold many concurrent closings, each once', async () => {
      await Promise.all(Array.from({ length: 300 }, (_, number) => serve(`req_${number}`)));

      const { chains, breaks } = await verify();

      expect(breaks).toEqual([]);
      expect(chains.map(({ verified, head }) => [verified, head.sequence])).toEqual([[300, 300]]);
    });

    it('leave out a write that was refused, and a second closing', async () => {
      await serve('req_1');
      const wrong = stores.interactions.open(opening('req_1'));
      const again = stores.interactions.close(closing('req_1', { costMicroUsd: 9 }));
      const other = serve('req_2');

      await expect(wrong).rejects.toThrow();
      expect(await again).toBe('already_closed');
      await other;
      const { chains, breaks } = await verify();
      expect(breaks).toEqual([]);
      expect(chains.map(({ verified }) => verified)).toEqual([2]);
    });

    it('hold text that no store can keep as it is', async () => {
      await stores.interactions.open(opening('req_1', { requestedModel: 'half \uD800 a ❄' }));
      await stores.interactions.close(closing('req_1', { errorCode: '\uDC00' }));

      expect((await verify()).breaks).toEqual([]);
    });
  });

  describe('changes', () => {
    it('say who changed what, and never a secret', async () => {
      const as = (by: string, work: () => Promise<unknown>) => stores.author.actAs(by, work);
      await as('key_op', () => stores.tenants.insertTenant(TENANT));
      await as('key_op', () => stores.tenants.insertKey(API_KEY));
      await as('key_admin', () => stores.tenants.updateKey({ ...API_KEY, revokedAtMs: 2_000 }));
      const secretive = {
        ...CHANNEL,
        baseUrl: 'https://h.example/?key=canary-1',
        credentialRef: 'env:canary-2',
      };
      await stores.catalog.putChannel({
        ...secretive,
        options: { ...CHANNEL.options, headers: { x: 'canary-3' } },
      });
      await as('key_op', () => stores.catalog.putChannel({ ...secretive, enabled: false }));

      const { changes } = await stores.changeLog.page({}, { after: null, limit: 10 });

      expect(
        changes.map(({ by, tenant, object, action }) => [by, tenant, object.kind, object.id, action]),
      ).toEqual([
        ['key_op', null, 'channel', 'ch_openai_us', 'updated'],
        ['system', null, 'channel', 'ch_openai_us', 'created'],
        ['key_admin', 'ten_1', 'api_key', 'key_1', 'revoked'],
        ['key_op', 'ten_1', 'api_key', 'key_1', 'created'],
        ['key_op', 'ten_1', 'tenant', 'ten_1', 'created'],
      ]);
      const text = JSON.stringify(changes);
      expect(text).not.toContain('canary');
      expect(text).not.toContain(API_KEY.secretHash);
      expect(text).not.toContain(API_KEY.hint);
    });

    it('are not made by a write that changed nothing', async () => {
      await stores.tenants.insertTenant(TENANT);

      await stores.tenants.insertTenant(TENANT);
      await stores.tenants.updateTenant(TENANT);

      const { changes } = await stores.changeLog.page({}, { after: null, limit: 10 });
      expect(changes).toHaveLength(1);
    });

    it('come in pages that stay stable while others are added', async () => {
      for (const id of ['a', 'b', 'c']) await stores.tenants.insertTenant({ ...TENANT, id, name: id });
      const first = await stores.changeLog.page({}, { after: null, limit: 2 });

      await stores.tenants.insertTenant({ ...TENANT, id: 'd', name: 'd' });

      const second = await stores.changeLog.page({}, { after: first.next, limit: 2 });
      expect(first.changes.map(({ object }) => object.id)).toEqual(['c', 'b']);
      expect(second.changes.map(({ object }) => object.id)).toEqual(['a']);
      expect(second.next).toBeNull();
      const foreign = await stores.changeLog.page({ tenant: 'a' }, { after: first.next, limit: 2 });
      expect(foreign.changes).toEqual([]);
    });
  });

  describe('retention', () => {
    const order = (closedBeforeMs: number) => ({ closedBeforeMs, limit: 2, rule: 'retention 1 days' });
    const writer = async (): Promise<string> => (await stores.auditChains.chains())[0]?.genesis.writer ?? '';
    const purgeAll = async (before: number): Promise<number> => {
      let passed = 0;
      for (;;) {
        const now = await stores.auditRetention.purge(await writer(), order(before));
        if (now === 0) return passed;
        passed += now;
      }
    };

    it('deletes from the start of a chain, which verifies from its anchor on', async () => {
      for (const [id, closed] of [
        ['req_1', 1_000],
        ['req_2', 2_000],
        ['req_3', 3_000],
        ['req_4', 9_000],
      ] as const)
        await serve(id, closed);

      const passed = await purgeAll(5_000);

      const { chains, breaks } = await verify();
      const { records } = await stores.auditLog.page({}, { after: null, limit: 10 });
      const purges = await stores.changeLog.page({ action: 'purged' }, { after: null, limit: 10 });
      expect(passed).toBe(3);
      expect(breaks).toEqual([]);
      expect(records.map(({ requestId }) => requestId)).toEqual(['req_4']);
      expect(chains[0]).toMatchObject({ purged: 3, verified: 3, head: { sequence: 6 } });
      expect(purges.changes.map(({ fromVersion, toVersion }) => [fromVersion, toVersion])).toEqual([
        [2, 3],
        [0, 2],
      ]);
    });

    it('stops at the first record that is young enough, whatever stands behind it', async () => {
      await serve('req_1', 1_000);
      await serve('req_2', 9_000);
      await serve('req_3', 1_000);

      expect(await purgeAll(5_000)).toBe(1);
      expect((await verify()).breaks).toEqual([]);
    });

    it('keeps open interactions', async () => {
      await stores.interactions.open(opening('req_open', { openedAtMs: 1 }));
      await serve('req_1', 1_000);

      await purgeAll(5_000);

      expect(await stores.auditLog.find('req_open')).toMatchObject({ state: 'open' });
      expect(await stores.auditLog.find('req_1')).toBeUndefined();
    });

    it('goes on where an earlier purge ended', async () => {
      for (const id of ['req_1', 'req_2', 'req_3']) await serve(id, 1_000);

      await stores.auditRetention.purge(await writer(), order(5_000));
      const between = await verify();
      await purgeAll(5_000);

      expect(between.breaks).toEqual([]);
      expect((await verify()).chains[0]).toMatchObject({ purged: 3 });
    });
  });

  describe('filters', () => {
    beforeEach(async () => {
      await stores.interactions.open(opening('req_a', { openedAtMs: 1_000, stream: false }));
      await stores.interactions.advance(
        'req_a',
        failedAttempt(),
        {
          ...FIRST_ATTEMPT,
          number: 2,
          action: 'retry',
        },
        null,
      );
      const lastAttempt = servedAttempt({ ...FIRST_ATTEMPT, number: 2, action: 'retry' });
      await stores.interactions.close(
        closing('req_a', { attempts: 2, errorCode: 'provider_failed', lastAttempt }),
      );
      await stores.interactions.open(
        opening('req_b', {
          openedAtMs: 2_000,
          policy: { name: 'other', version: 1 },
          parentRequestId: 'up',
        }),
      );
      await stores.interactions.close(
        closing('req_b', {
          costMicroUsd: 215,
          served: { route: 'off_x', provider: 'p', model: 'm', upstreamName: 'u' },
        }),
      );
    });

    it.each<[string, AuditFilter, string[]]>([
      ['fault class', { attempt: { faultClass: 'server_error' } }, ['req_a']],
      ['action', { attempt: { action: 'retry' } }, ['req_a']],
      ['fault and action in one attempt', { attempt: { faultClass: 'server_error', action: 'retry' } }, []],
      ['channel', { attempt: { channel: 'ch_openai_us' } }, ['req_b', 'req_a']],
      ['channel that nobody used', { attempt: { channel: 'ch_2' } }, []],
      ['no condition on attempts', { attempt: {} }, ['req_b', 'req_a']],
      ['error code', { errorCode: 'provider_failed' }, ['req_a']],
      ['served route', { servedRoute: 'off_x' }, ['req_b']],
      ['policy', { policy: 'other' }, ['req_b']],
      ['cost, included', { minCostMicroUsd: 215 }, ['req_b']],
      ['cost, one more', { minCostMicroUsd: 216 }, []],
      ['stream', { stream: true }, ['req_b']],
      ['no stream', { stream: false }, ['req_a']],
      ['parent', { parentRequestId: 'up' }, ['req_b']],
    ])('%s', async (_name, filter, expected) => {
      const { records } = await stores.auditLog.page(filter, { after: null, limit: 10 });

      expect(records.map(({ requestId }) => requestId)).toEqual(expected);
    });
  });

  describe('usage', () => {
    const DAY = 86_400_000;
    const report = (groupBy: UsageGrouping): Promise<readonly UsageRow[]> =>
      stores.usageReports.usage({ tenant: 'ten_1', fromMs: 0, toMs: 10 * DAY, groupBy });

    beforeEach(async () => {
      await stores.interactions.open(opening('req_a', { openedAtMs: DAY - 1 }));
      await stores.interactions.advance(
        'req_a',
        { ...failedAttempt(), costPico: 40_000_001 },
        { ...FIRST_ATTEMPT, number: 2, action: 'model_fallback' },
        null,
      );
      await stores.interactions.close(
        closing('req_a', {
          attempts: 2,
          costMicroUsd: 255,
          fallbackReason: 'primary_provider_5xx',
          lastAttempt: { ...failedAttempt({ ...FIRST_ATTEMPT, number: 2 }), costPico: 214_000_000 },
        }),
      );
      await stores.interactions.open(opening('req_b', { openedAtMs: DAY, service: null, apiKey: 'key_2' }));
      await stores.interactions.close(closing('req_b', { served: null, costMicroUsd: null }));
      await stores.interactions.open(opening('req_c', { openedAtMs: DAY }));
      await stores.interactions.open(opening('req_d', { tenant: 'ten_2' }));
      await stores.interactions.close(closing('req_d'));
    });

    it('adds up, and tells what attempts cost that another one followed', async () => {
      expect(await report('fallback')).toEqual([
        {
          group: 'false',
          interactions: 1,
          attempts: 1,
          inputTokens: 1_200,
          cachedInputTokens: 200,
          outputTokens: 80,
          reasoningTokens: 0,
          costMicroUsd: 0,
          resilienceCostMicroUsd: 0,
          costUnknown: 1,
        },
        {
          group: 'true',
          interactions: 1,
          attempts: 2,
          inputTokens: 1_200,
          cachedInputTokens: 200,
          outputTokens: 80,
          reasoningTokens: 0,
          costMicroUsd: 255,
          resilienceCostMicroUsd: 41,
          costUnknown: 0,
        },
      ]);
    });

    it.each<[UsageGrouping, (string | null)[]]>([
      ['day', ['1970-01-01', '1970-01-02']],
      ['service', [null, 'checkout']],
      ['feature', ['summary']],
      ['model', [null, 'gpt-4o-mini']],
      ['provider', [null, 'openai']],
      ['key', ['key_1', 'key_2']],
      ['fallback', ['false', 'true']],
    ])('by %s', async (groupBy, groups) => {
      expect((await report(groupBy)).map(({ group }) => group)).toEqual(groups);
    });
  });
}
