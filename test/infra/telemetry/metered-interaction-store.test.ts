import pino from 'pino';
import type { ClosingRecord, OpeningRecord } from '../../../src/domain/audit/audit-record';
import type { Attempt } from '../../../src/domain/interaction/attempt';
import { NO_USAGE } from '../../../src/domain/interaction/usage';
import { MeteredAttempts } from '../../../src/infra/telemetry/metered-attempts';
import { MeteredInteractionStore } from '../../../src/infra/telemetry/metered-interaction-store';
import { Metrics } from '../../../src/infra/telemetry/metrics';
import { ObservedInteractionStore } from '../../../src/infra/telemetry/observed-interaction-store';
import type { InteractionStore } from '../../../src/usecase/port/interaction-store';
import { FAILED_ATTEMPT } from '../../support/sample-attempt';

const OPENING: OpeningRecord = {
  requestId: 'req_1',
  billableId: 'req_1',
  reservationMicroUsd: null,
  tenant: 'canary-tenant',
  apiKey: 'canary-key',
  openedAtMs: 1_000,
  deadlineAtMs: 9_000,
  requestedModel: 'canary-model-of-the-caller',
  stream: false,
  policy: null,
  canary: false,
  planned: [],
  refusals: [],
  service: 'canary-service',
  feature: 'canary-feature',
  parentRequestId: 'canary-parent',
  clientRetryCount: null,
  idempotency: null,
  firstAttempt: null,
};

const SERVED_ATTEMPT: Attempt = {
  ...FAILED_ATTEMPT,
  number: 2,
  action: 'model_fallback',
  startedAtMs: 1_400,
  firstOutputAtMs: 1_900,
  status: 200,
  outcome: { kind: 'served', finishReason: 'stop' },
};

const CLOSING: ClosingRecord = {
  requestId: 'req_1',
  state: 'served',
  closedAtMs: 3_500,
  errorCode: null,
  served: { route: 'off', provider: 'openai', model: 'gpt-s', upstreamName: 'gpt-s' },
  fallbackReason: 'primary_provider_5xx',
  refusals: [],
  attempts: 2,
  usage: NO_USAGE,
  costMicroUsd: 12,
  lastAttempt: SERVED_ATTEMPT,
};

const FULL = {
  route: { id: 'off', provider: 'openai', channel: 'ch', model: 'gpt-s' },
  detail: { reason: 'group_rpm', group: 'premium', retryAfterMs: 9 },
} as const;

describe('metered interaction store', () => {
  let metrics: Metrics;
  let lines: string[];
  let failing: boolean;
  let metered: MeteredInteractionStore;
  let store: InteractionStore;

  beforeEach(() => {
    metrics = new Metrics();
    lines = [];
    failing = false;
    const write = async (): Promise<void> => {
      if (failing) throw new Error('store gone');
    };
    const inner: InteractionStore = {
      open: async () => {
        await write();
        return { kind: 'opened' };
      },
      advance: async () => {
        await write();
        return { kind: 'advanced' };
      },
      close: async () => {
        await write();
        return 'closed';
      },
    };
    const logger = pino({ base: null }, { write: (line) => void lines.push(line) });
    metered = new MeteredInteractionStore(inner, metrics, logger);
    store = new ObservedInteractionStore(metered, [new MeteredAttempts(metrics, logger)]);
  });

  it.each([
    { name: 'one that met full groups', refusals: [FULL, FULL], counted: 1 },
    { name: 'one that met none', refusals: [], counted: undefined },
  ])('counts $name once', async ({ refusals, counted }) => {
    await store.close({ ...CLOSING, refusals });

    expect((await samples())['admissions_refused_total{scope="group"}']).toBe(counted);
  });

  /** Every sample of ours that isn't zero. */
  const samples = async (): Promise<Record<string, number>> => {
    const text = await metrics.registry.metrics();
    const found = [...text.matchAll(/^schneeai_(\S+?)(\{.*\})? (\S+)$/gm)]
      .filter(([, name]) => !name?.endsWith('_bucket'))
      .map(([, name = '', labels = '', value]) => [`${name}${labels}`, Number(value)] as const);
    return Object.fromEntries(found.filter(([, value]) => value !== 0));
  };

  it('counts what was recorded', async () => {
    await store.open(OPENING);
    await store.advance('req_1', FAILED_ATTEMPT, SERVED_ATTEMPT, null);
    await store.close(CLOSING);

    expect(await samples()).toEqual({
      'interactions_total{state="served",error=""}': 1,
      'attempts_total{provider="openai",action="initial",outcome="server_error"}': 1,
      'attempts_total{provider="openai",action="model_fallback",outcome="served"}': 1,
      'failovers_total{reason="primary_provider_5xx"}': 1,
      'interaction_duration_seconds_sum{state="served"}': 2.5,
      'interaction_duration_seconds_count{state="served"}': 1,
      'attempt_first_output_seconds_sum{provider="openai"}': 0.5,
      'attempt_first_output_seconds_count{provider="openai"}': 1,
    });
  });

  it('counts an interaction that was refused without an attempt', async () => {
    const refused = {
      ...CLOSING,
      state: 'refused',
      errorCode: 'no_eligible_route',
      served: null,
      fallbackReason: null,
      lastAttempt: null,
    } as const;

    await Promise.all([store.open(OPENING), store.close(refused)]);

    expect(await samples()).toMatchObject({
      'interactions_total{state="refused",error="no_eligible_route"}': 1,
    });
  });

  // Somebody else's interaction, closed by reconciliation: nobody here knows when it began.
  it('measures no duration that it doesn’t know', async () => {
    await store.close(CLOSING);

    expect(Object.keys(await samples()).filter((name) => name.includes('duration'))).toEqual([]);
  });

  it('has no label that a caller chose', async () => {
    await store.open(OPENING);
    await store.close(CLOSING);

    expect(await metrics.registry.metrics()).not.toContain('canary');
    expect(lines.join('')).not.toContain('canary');
  });

  it('logs a failed attempt with its evidence, and the end of the interaction', async () => {
    await store.open(OPENING);
    await store.advance('req_1', FAILED_ATTEMPT, SERVED_ATTEMPT, null);
    await store.close(CLOSING);

    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        level: 40,
        time: expect.any(Number),
        requestId: 'req_1',
        attempt: 1,
        action: 'initial',
        provider: 'openai',
        route: 'off',
        faultClass: 'server_error',
        faultCode: 'overloaded',
        stage: 'before_output',
        status: 503,
        upstreamRequestId: 'up-1',
        msg: 'attempt failed',
      },
      {
        level: 30,
        time: expect.any(Number),
        requestId: 'req_1',
        state: 'served',
        errorCode: null,
        provider: 'openai',
        model: 'gpt-s',
        attempts: 2,
        fallbackReason: 'primary_provider_5xx',
        costMicroUsd: 12,
        durationMs: 2_500,
        msg: 'interaction closed',
      },
    ]);
  });

  it('passes a failure of the store on', async () => {
    failing = true;

    await expect(store.open(OPENING)).rejects.toThrow('store gone');
    await expect(store.advance('req_1', FAILED_ATTEMPT, SERVED_ATTEMPT, null)).rejects.toThrow('store gone');
    await expect(store.close(CLOSING)).rejects.toThrow('store gone');
  });

  it('remembers no interaction that was closed or never opened', async () => {
    const remembered = (metered as unknown as { openedAtMs: ReadonlyMap<string, number> }).openedAtMs;
    await store.open(OPENING);
    expect(remembered.size).toBe(1);

    await store.close(CLOSING);
    expect(remembered.size).toBe(0);

    failing = true;
    await store.open(OPENING).catch(() => undefined);
    await store.open({ ...OPENING, requestId: 'req_2' }).catch(() => undefined);
    await store.close(CLOSING).catch(() => undefined);
    expect(remembered.size).toBe(0);
  });
});
