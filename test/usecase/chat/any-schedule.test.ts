import * as fc from 'fast-check';
import type { AbortCause } from '../../../src/domain/resilience/signal';
import { EMPTY_WALLET } from '../../../src/domain/wallet/wallet';
import { ChatBench } from '../../support/chat-bench';
import { AZURE, CLAUDE, GPT, MISTRAL } from '../../support/sample-plan';
import { anySchedule } from './any-schedule';
import type { Schedule, ScheduledCaller } from './any-schedule';
import { abortCausesIn, brokenPromises, CREDIT_MICRO_USD } from './broken-promises';
import type { Played } from './broken-promises';

const RUNS = 10_000;

function benchFor({ script, settings, moods, commitMs, draws }: Schedule): ChatBench {
  let drawn = 0;
  let written = 0;
  const bench = new ChatBench({
    script,
    policy: { match: ['*'], primary: GPT, fallbacks: [AZURE, CLAUDE, MISTRAL], settings },
    draw: () => draws[drawn++ % draws.length] ?? 0,
  });
  bench.store.mood = () => moods[written++] ?? 'fine';
  bench.store.commitMs = commitMs;
  bench.store.wallets.set('ten_1', { ...EMPTY_WALLET, availableMicroUsd: CREDIT_MICRO_USD });
  return bench;
}

function begin(
  bench: ChatBench,
  caller: ScheduledCaller,
  deadlineMs: number,
): Played & { done: Promise<void> } {
  const beganAtMs = bench.clock.nowMs();
  const { id, reply, done } = bench.begin({
    request: { stream: caller.stream },
    options: { timeoutMs: caller.timeoutMs, forbidsReplay: caller.forbidsReplay },
    failover: caller.failover,
    wallet: true,
    drainMs: (nth) => caller.drains[nth] ?? 0,
  });
  if (caller.leavesAfterMs !== null) reply.leaveAfter(caller.leavesAfterMs);
  const deadlineAtMs = beganAtMs + Math.min(deadlineMs, caller.timeoutMs ?? Infinity);
  const leftAtMs = beganAtMs + (caller.leavesAfterMs ?? Infinity);
  return { id, caller, reply, done, beganAtMs, deadlineAtMs, leftAtMs };
}

/** Runs a schedule to its end, and says which promises were broken. Why attempts were ended is added to `causes`. */
async function play(schedule: Schedule, causes: Set<AbortCause>): Promise<readonly string[]> {
  const bench = benchFor(schedule);
  const begun: (Played & { done: Promise<void> })[] = [];
  for (const caller of schedule.callers) {
    bench.clock.start(caller.arrivesAfterMs, () => {
      begun.push(begin(bench, caller, schedule.settings.timeouts?.deadlineMs ?? Infinity));
    });
  }
  if (schedule.shutdownAfterMs !== null) {
    bench.clock.start(schedule.shutdownAfterMs, () => bench.shutdown.abort());
  }
  await bench.clock.run();
  await Promise.all(begun.map(({ done }) => done));
  for (const cause of abortCausesIn(bench)) causes.add(cause);
  return brokenPromises(bench, begun, schedule);
}

describe('interactions under any schedule', () => {
  it('keep every promise to the caller, the provider and the auditor', async () => {
    const causes = new Set<AbortCause>();
    const property = fc.asyncProperty(anySchedule, async (schedule) => {
      const broken = await play(schedule, causes);

      if (broken.length > 0) throw new Error(broken.join('\n'));
    });

    await fc.assert(property, { numRuns: RUNS });

    // Schedules that never get there would promise nothing.
    expect([...causes].sort()).toEqual([
      'caller_gone',
      'deadline',
      'headers_timeout',
      'idle_timeout',
      'shutdown',
      'ttft_timeout',
      'write_stalled',
    ]);
  }, 120_000);
});
