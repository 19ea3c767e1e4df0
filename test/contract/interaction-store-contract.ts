import {
  closing,
  failedAttempt,
  FIRST_ATTEMPT,
  opening,
  ROUTE,
  servedAttempt,
  USAGE,
} from '../support/store/sample-records';
import type { OpenStores, Stores } from './stores';

const SECOND_ATTEMPT = {
  ...FIRST_ATTEMPT,
  number: 2,
  action: 'retry' as const,
  startedAtMs: 11_060,
  backoffMs: 1_000,
  trial: true,
};

export function interactionStoreContract(openStores: OpenStores): void {
  let stores: Stores;
  beforeEach(async () => {
    stores = await openStores();
  });
  afterEach(() => stores.close());

  const find = async (requestId: string) => (await stores.auditLog.find(requestId))!;

  describe('open', () => {
    it('records what is known before anything is sent', async () => {
      await stores.interactions.open(opening('req_1'));

      const { firstAttempt: _, idempotency: _key, ...recorded } = opening('req_1');
      expect(await find('req_1')).toMatchObject({ ...recorded, state: 'open', closing: null });
    });

    it('records the start of the first attempt as running', async () => {
      await stores.interactions.open(opening('req_1'));

      const { ledger } = await find('req_1');
      expect(ledger).toHaveLength(1);
      expect(ledger[0]).toMatchObject({
        number: 1,
        action: 'initial',
        route: 'off_openai_4o_mini',
        provider: 'openai',
        channel: 'ch_openai_us',
        region: 'us',
        model: 'gpt-4o-mini',
        upstreamName: 'gpt-4o-mini-2024-07-18',
        trial: false,
        startedAtMs: 10_010,
        endedAtMs: null,
        outcome: 'running',
        costMicroUsd: null,
        ignoredParams: [],
      });
    });

    it.each([true, false])('records whether the request was drawn for a canary: %s', async (canary) => {
      await stores.interactions.open(opening('req_1', { canary }));

      expect(await find('req_1')).toMatchObject({ canary });
    });

    it('records what was found and what was redacted, in numbers', async () => {
      const pii = { counts: { email: 2, payment_card: 1 }, unscannedParts: 1 } as const;
      const redacted = { email: 2 } as const;

      await stores.interactions.open(opening('req_1', { pii, firstAttempt: { ...FIRST_ATTEMPT, redacted } }));
      await stores.interactions.advance(
        'req_1',
        failedAttempt({ ...FIRST_ATTEMPT, redacted }),
        SECOND_ATTEMPT,
        null,
      );

      const record = await find('req_1');
      expect(record.pii).toEqual(pii);
      expect(record.ledger.map((row) => row.redacted)).toEqual([redacted, null]);
    });

    it('keeps absent labels, policy and attempt absent', async () => {
      const bare = {
        policy: null,
        planned: [],
        refusals: [],
        service: null,
        feature: null,
        parentRequestId: null,
        clientRetryCount: null,
        pii: null,
        stream: false,
      };

      await stores.interactions.open(opening('req_1', { ...bare, firstAttempt: null }));

      expect(await find('req_1')).toMatchObject({ ...bare, ledger: [] });
    });

    it('refuses a request id that exists, and leaves its record as it is', async () => {
      await stores.interactions.open(opening('req_1'));

      await expect(stores.interactions.open(opening('req_1', { tenant: 'ten_2' }))).rejects.toThrow();

      expect((await find('req_1')).tenant).toBe('ten_1');
    });
  });

  describe('advance', () => {
    it('records the failed attempt and the start of the next one', async () => {
      await stores.interactions.open(opening('req_1'));

      await stores.interactions.advance('req_1', failedAttempt(), SECOND_ATTEMPT, null);

      const { ledger, state } = await find('req_1');
      expect(state).toBe('open');
      expect(ledger).toMatchObject([
        {
          number: 1,
          outcome: 'failed',
          headersAtMs: 10_050,
          firstOutputAtMs: null,
          endedAtMs: 10_060,
          status: 503,
          upstreamRequestId: 'up-1',
          finishReason: null,
          faultClass: 'server_error',
          faultCode: 'overloaded',
          stage: 'before_output',
          abortedBy: null,
          retryAfterMs: 2_000,
          requestSent: 'yes',
          costMicroUsd: 0,
        },
        { number: 2, action: 'retry', outcome: 'running', backoffMs: 1_000, trial: true, endedAtMs: null },
      ]);
    });

    it('never stores what the provider said in prose', async () => {
      await stores.interactions.open(opening('req_1'));

      await stores.interactions.advance('req_1', failedAttempt(), SECOND_ATTEMPT, null);

      expect(JSON.stringify(await find('req_1'))).not.toContain('prose that may quote a prompt');
    });

    it('is refused for an interaction that is closed, and adds nothing to its ledger', async () => {
      await stores.interactions.open(opening('req_1'));
      await stores.interactions.close(closing('req_1'));

      await expect(
        stores.interactions.advance('req_1', failedAttempt(), SECOND_ATTEMPT, null),
      ).rejects.toThrow('closed');

      expect((await find('req_1')).ledger).toMatchObject([{ number: 1, outcome: 'served' }]);
    });

    it('is refused for an interaction that was never opened', async () => {
      await expect(
        stores.interactions.advance('req_none', failedAttempt(), SECOND_ATTEMPT, null),
      ).rejects.toThrow();

      expect(await stores.auditLog.find('req_none')).toBeUndefined();
    });
  });

  describe('close', () => {
    it('records the ending, who served, usage and cost', async () => {
      await stores.interactions.open(opening('req_1'));

      expect(await stores.interactions.close(closing('req_1'))).toBe('closed');

      const record = await find('req_1');
      expect(record.state).toBe('served');
      expect(record.closing).toEqual({
        closedAtMs: 12_000,
        errorCode: null,
        served: {
          route: 'off_openai_4o_mini',
          provider: 'openai',
          model: 'gpt-4o-mini',
          upstreamName: 'gpt-4o-mini-2024-07-18',
        },
        fallbackReason: null,
        refusals: closing('req_1').refusals,
        attempts: 1,
        usage: USAGE,
        costMicroUsd: 214,
      });
    });

    it('completes the ledger; the cost of an attempt is rounded up', async () => {
      await stores.interactions.open(opening('req_1'));

      await stores.interactions.close(closing('req_1'));

      expect((await find('req_1')).ledger).toMatchObject([
        {
          number: 1,
          outcome: 'served',
          finishReason: 'stop',
          faultClass: null,
          firstOutputAtMs: 11_200,
          usage: USAGE,
          costMicroUsd: 214,
          ignoredParams: ['logit_bias'],
        },
      ]);
    });

    it('records an attempt whose start is missing', async () => {
      await stores.interactions.open(opening('req_1', { firstAttempt: null }));

      await stores.interactions.close(closing('req_1'));

      expect((await find('req_1')).ledger).toMatchObject([
        { number: 1, outcome: 'served', startedAtMs: 10_010 },
      ]);
    });

    it('keeps an unknown cost unknown', async () => {
      await stores.interactions.open(opening('req_1'));

      await stores.interactions.close(
        closing('req_1', {
          state: 'failed',
          served: null,
          errorCode: 'provider_failed',
          costMicroUsd: null,
          lastAttempt: { ...servedAttempt(), costPico: null },
        }),
      );

      const { closing: ended, ledger } = await find('req_1');
      expect(ended).toMatchObject({ served: null, errorCode: 'provider_failed', costMicroUsd: null });
      expect(ledger[0]!.costMicroUsd).toBeNull();
    });

    it('changes nothing the second time, and says so', async () => {
      await stores.interactions.open(opening('req_1'));
      await stores.interactions.close(closing('req_1'));

      const again = await stores.interactions.close(
        closing('req_1', { state: 'interrupted', lastAttempt: failedAttempt() }),
      );

      expect(again).toBe('already_closed');
      expect(await find('req_1')).toMatchObject({ state: 'served', ledger: [{ outcome: 'served' }] });
    });

    it('lets one of two closings at once win', async () => {
      await stores.interactions.open(opening('req_1'));

      const outcomes = await Promise.all([
        stores.interactions.close(closing('req_1')),
        stores.interactions.close(closing('req_1', { state: 'interrupted' })),
      ]);

      expect(outcomes).toEqual(['closed', 'already_closed']);
    });

    it('is refused for an interaction that was never opened', async () => {
      await expect(stores.interactions.close(closing('req_none'))).rejects.toThrow('req_none');
    });
  });

  describe('writes at once', () => {
    it('takes the good ones and refuses the bad one alone', async () => {
      const outcomes = await Promise.allSettled([
        stores.interactions.open(opening('req_1')),
        stores.interactions.open(opening('req_1')),
        stores.interactions.open(opening('req_2')),
        stores.interactions.advance('req_2', failedAttempt(), FIRST_ATTEMPT, null),
        stores.interactions.close(closing('req_1')),
      ]);

      expect(outcomes.map((outcome) => outcome.status)).toEqual([
        'fulfilled',
        'rejected',
        'fulfilled',
        'rejected',
        'fulfilled',
      ]);
      expect((await find('req_1')).state).toBe('served');
      // The refused advance left nothing behind, although its first half was fine.
      expect((await find('req_2')).ledger).toMatchObject([{ number: 1, outcome: 'running' }]);
    });

    it('takes some hundred of them', async () => {
      const ids = Array.from({ length: 700 }, (_, index) => `req_${index}`);

      await Promise.all(ids.map((id) => stores.interactions.open(opening(id))));
      const closed = await Promise.all(ids.map((id) => stores.interactions.close(closing(id))));

      expect(closed.filter((outcome) => outcome === 'closed')).toHaveLength(700);
    });
  });

  describe('findOpenBefore', () => {
    it('finds open interactions past their deadline, longest overdue first', async () => {
      await stores.interactions.open(opening('req_late', { deadlineAtMs: 300 }));
      await stores.interactions.open(opening('req_later', { deadlineAtMs: 200 }));
      await stores.interactions.open(opening('req_edge', { deadlineAtMs: 400 }));
      await stores.interactions.open(opening('req_closed', { deadlineAtMs: 100 }));
      await stores.interactions.close(closing('req_closed'));

      const found = await stores.openInteractions.findOpenBefore(400, 10);

      expect(found.map((open) => open.requestId)).toEqual(['req_later', 'req_late']);
    });

    it('tells the refusals, and each attempt with its exact cost', async () => {
      await stores.interactions.open(opening('req_1', { deadlineAtMs: 100 }));
      const ended = { ...failedAttempt(), usage: USAGE, costPico: 213_000_001 };
      await stores.interactions.advance('req_1', ended, { ...FIRST_ATTEMPT, route: ROUTE, number: 2 }, null);

      const [found] = await stores.openInteractions.findOpenBefore(400, 10);

      expect(found!.refusals).toEqual(opening('req_1').refusals);
      expect(found!.attempts).toMatchObject([
        { number: 1, progress: 'ended', usage: USAGE, costPico: 213_000_001 },
        { number: 2, progress: 'running', costPico: null },
      ]);
    });

    it('returns no more than asked for', async () => {
      await Promise.all(['req_1', 'req_2', 'req_3'].map((id) => stores.interactions.open(opening(id))));

      expect(await stores.openInteractions.findOpenBefore(400_000, 2)).toHaveLength(2);
    });
  });
}
