import { DEFAULT_BREAKER } from '../../../src/domain/health/circuit-breaker';
import { aFault } from '../../support/sample-situation';
import { OwnTrials } from '../../../src/infra/health/own-trials';
import { RoutePermits } from '../../../src/usecase/chat/route-permits';
import type { Permit } from '../../../src/usecase/chat/route-permits';
import type { Attempt, AttemptOutcome } from '../../../src/domain/interaction/attempt';
import type { Fault } from '../../../src/domain/resilience/fault';
import { FakeClock } from '../../support/fake-clock';
import { InMemoryConfiguration } from '../../support/in-memory-configuration';
import { InMemoryRouteHealth } from '../../support/in-memory-route-health';
import { RecordingIncidents } from '../../support/recording-incidents';
import { FAILED_ATTEMPT } from '../../support/sample-attempt';
import { aChannel, aModel, anOffering, aRoute } from '../../support/sample-catalog';

const CHANNEL = aChannel({ id: 'ch-a', provider: 'openai' });
const ROUTE = aRoute({ id: 'a-1', provider: 'openai', channel: CHANNEL });

const NO_ACCOUNT: Partial<Fault> = {
  class: 'credential',
  accountEvidence: true,
  status: 401,
  code: 'invalid_api_key',
};
const BARE_403: Partial<Fault> = { class: 'credential', accountEvidence: false, status: 403, code: null };

const attemptWith = (outcome: AttemptOutcome): Attempt => ({ ...FAILED_ATTEMPT, route: ROUTE, outcome });

/** Two models on channel ch-a, and one of them on ch-b too. */
function bench() {
  const clock = new FakeClock(1_000_000);
  const health = new InMemoryRouteHealth();
  const incidents = new RecordingIncidents();
  const configuration = new InMemoryConfiguration({
    providers: [],
    channels: [CHANNEL, aChannel({ id: 'ch-b', provider: 'openai' })],
    models: [aModel('gpt-s'), aModel('gpt-l')],
    offerings: [
      anOffering({ id: 'a-1', channel: 'ch-a', model: 'gpt-s' }),
      anOffering({ id: 'a-2', channel: 'ch-a', model: 'gpt-l' }),
      anOffering({ id: 'b-1', channel: 'ch-b', model: 'gpt-s' }),
    ],
  });
  const permits = new RoutePermits({
    configuration,
    health,
    trials: new OwnTrials(),
    incidents,
    clock,
    breaker: DEFAULT_BREAKER,
  });
  const taken = (): Permit => {
    const permit = permits.take('a-1', 'ordinary');
    if (permit === null) throw new Error('a permit was expected');
    return permit;
  };
  const fail = (permit: Permit, fault: Partial<Fault>): void =>
    permits.settle(permit, attemptWith({ kind: 'failed', fault: aFault(fault) }));
  const circuits = () => {
    const { conditionOf } = permits.conditions();
    return ['a-1', 'a-2', 'b-1'].map((route) => conditionOf(route).circuit);
  };
  return { clock, incidents, configuration, permits, taken, fail, circuits };
}

const OPEN = { state: 'open', untilMs: 1_060_000, trialTaken: false };
const CLOSED = { state: 'closed' };

describe('a fault of our account at a provider', () => {
  it('opens every route of its channel at once, and no other channel', () => {
    const { taken, fail, circuits } = bench();

    fail(taken(), NO_ACCOUNT);

    expect(circuits()).toEqual([OPEN, OPEN, CLOSED]);
  });

  it('is told to the operator once, however many attempts were under way', () => {
    const { taken, fail, incidents } = bench();
    const underWay = [taken(), taken(), taken()];

    for (const permit of underWay) fail(permit, NO_ACCOUNT);

    expect(incidents.accountFaults).toEqual([
      { provider: 'openai', channel: 'ch-a', status: 401, code: 'invalid_api_key' },
    ]);
  });

  it('opens nothing when it comes from an attempt of an earlier time', async () => {
    const { clock, permits, taken, fail, circuits, incidents } = bench();
    const early = taken();
    for (let failure = 0; failure < 3; failure += 1) fail(taken(), { class: 'server_error', status: 500 });
    await clock.advance(60_000);
    const trial = permits.take('a-1', 'ordinary');
    permits.settle(trial as Permit, attemptWith({ kind: 'served', finishReason: 'stop' }));

    fail(early, NO_ACCOUNT);

    expect(circuits()).toEqual([CLOSED, CLOSED, CLOSED]);
    expect(incidents.accountFaults).toEqual([]);
  });
});

describe('a bare 403', () => {
  it.each([
    { name: 'one', times: 1, expected: CLOSED },
    { name: 'two', times: 2, expected: CLOSED },
    { name: 'three', times: 3, expected: OPEN },
  ])('counts like any failure, for its own route only: after $name it is $expected.state', (row) => {
    const { taken, fail, circuits, incidents } = bench();

    for (let time = 0; time < row.times; time += 1) fail(taken(), BARE_403);

    expect(circuits()).toEqual([row.expected, CLOSED, CLOSED]);
    expect(incidents.accountFaults).toEqual([]);
  });
});

describe('a route that was switched off', () => {
  it('gives no permit, whatever its circuit says', async () => {
    const { configuration, permits } = bench();
    await configuration.putChannel({ ...CHANNEL, enabled: false });

    expect(permits.take('a-1', 'ordinary')).toBeNull();
    expect(permits.take('a-1', 'last_resort')).toBeNull();
    expect(permits.take('b-1', 'ordinary')).not.toBeNull();
  });

  it.each([
    { name: 'its channel is switched off', change: 'channel' },
    { name: 'the route itself is switched off', change: 'offering' },
    { name: 'it was removed', change: 'removal' },
  ])('shows as such in the conditions when $name', async ({ change }) => {
    const { configuration, permits } = bench();
    if (change === 'channel') await configuration.putChannel({ ...CHANNEL, enabled: false });
    if (change === 'offering')
      await configuration.putOffering(anOffering({ id: 'a-1', channel: 'ch-a', enabled: false }));
    if (change === 'removal') await configuration.remove('offering', 'a-1');

    const { isEnabled } = permits.conditions();

    expect([isEnabled('a-1'), isEnabled('b-1')]).toEqual([false, true]);
  });
});
