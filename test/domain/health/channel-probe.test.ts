import {
  afterProbe,
  NEVER_PROBED,
  opensCircuit,
  probeResultOf,
} from '../../../src/domain/health/channel-probe';
import type { ChannelProbe } from '../../../src/domain/health/channel-probe';
import { DEFAULT_BREAKER } from '../../../src/domain/health/circuit-breaker';
import { freshHealth, observe, openedUntil } from '../../../src/domain/health/route-health';
import type { Fault } from '../../../src/domain/resilience/fault';
import { aFault } from '../../support/sample-situation';

const DOWN: Partial<Fault> = { class: 'server_error', status: 503 };
const UNKNOWN: Partial<Fault> = { class: 'contract', status: 404 };

/** Probes at 10, 20, 30 … seconds; null: answered. */
function probed(...faults: readonly (Partial<Fault> | null)[]): ChannelProbe {
  return faults.reduce<ChannelProbe>((probe, fault, index) => {
    const atMs = (index + 1) * 10_000;
    return afterProbe(probe, probeResultOf(fault === null ? null : aFault(fault), atMs - 5, atMs));
  }, NEVER_PROBED);
}

const servedAt = (atMs: number) =>
  observe(
    freshHealth(),
    { outcome: 'success', generation: 0, latencyMs: 1, totalMs: 2, throttleUntilMs: null },
    atMs,
    DEFAULT_BREAKER,
  );

describe('the verdict of a probe', () => {
  it.each([
    { name: 'an answer', fault: null, verdict: 'answered' },
    { name: 'a failure of the provider', fault: DOWN, verdict: 'failed' },
    {
      name: 'a timeout of ours',
      fault: { class: 'timeout', abortedBy: 'headers_timeout' },
      verdict: 'failed',
    },
    {
      name: 'a key that is refused',
      fault: { class: 'credential', accountEvidence: true },
      verdict: 'failed',
    },
    { name: 'no list of models there', fault: UNKNOWN, verdict: 'inconclusive' },
    { name: 'a rate limit', fault: { class: 'rate_limited' }, verdict: 'inconclusive' },
    { name: 'our shutdown', fault: { class: 'cancelled', abortedBy: 'shutdown' }, verdict: 'inconclusive' },
  ] as const)('after $name is $verdict', ({ fault, verdict }) => {
    expect(probeResultOf(fault && aFault(fault), 1, 2).verdict).toBe(verdict);
  });
});

describe('failed probes', () => {
  it.each([
    { name: 'none at all', probe: NEVER_PROBED, opens: false },
    { name: 'two', probe: probed(DOWN, DOWN), opens: false },
    { name: 'three', probe: probed(DOWN, DOWN, DOWN), opens: true },
    { name: 'three with an answer between them', probe: probed(DOWN, DOWN, null, DOWN), opens: false },
    {
      name: 'three with something inconclusive between',
      probe: probed(DOWN, UNKNOWN, DOWN, DOWN),
      opens: true,
    },
    { name: 'any number that are inconclusive', probe: probed(UNKNOWN, UNKNOWN, UNKNOWN), opens: false },
  ])('open the circuit of a quiet route after $name: $opens', ({ probe, opens }) => {
    expect(opensCircuit(probe, freshHealth())).toBe(opens);
  });

  it.each([
    { name: 'before the first of them', servedAtMs: 9_999, opens: true },
    { name: 'since the first of them', servedAtMs: 10_000, opens: false },
  ])('open a route that served $name: $opens', ({ servedAtMs, opens }) => {
    expect(opensCircuit(probed(DOWN, DOWN, DOWN), servedAt(servedAtMs))).toBe(opens);
  });

  it('open a route that served during an older part of the same series', () => {
    expect(opensCircuit(probed(DOWN, DOWN, DOWN, DOWN, DOWN), servedAt(20_000))).toBe(true);
  });

  it('leave a circuit that is open its own schedule', () => {
    expect(opensCircuit(probed(DOWN, DOWN, DOWN), openedUntil(freshHealth(), 70_000))).toBe(false);
  });
});
