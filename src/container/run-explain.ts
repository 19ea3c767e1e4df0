import pino from 'pino';
import type { CommandOutcome } from '../delivery/cli/command-outcome';
import { explainCommand } from '../delivery/cli/explain-command';
import { EXPLAIN_USAGE, explainOptions } from '../delivery/cli/explain-options';
import { DEFAULT_BREAKER } from '../domain/health/circuit-breaker';
import type { Config } from '../infra/config/config';
import { InMemoryRouteHealth } from '../infra/health/in-memory-route-health';
import { FixedMinuteRates } from '../infra/rate/fixed-minute-rates';
import { inMemoryLimiter } from '../infra/rate/limiters';
import { SystemClock } from '../infra/runtime/system-clock';
import { ExplainRouting } from '../usecase/routing/explain-routing';
import { readSource } from './drill/drill-source';

/** `schneeai explain`, from its arguments to its exit code. What a running gateway has observed is unknown here. */
export async function runExplain(
  args: readonly string[],
  { config, write }: Readonly<{ config: Config; write: (text: string) => void }>,
): Promise<CommandOutcome> {
  const options = explainOptions(args);
  if (typeof options === 'string') return { exitCode: 2, output: `${options}\n\n${EXPLAIN_USAGE}` };
  const { configuration } = await readSource(config, pino({ level: 'silent' }));
  const explain = new ExplainRouting({
    configuration,
    health: new InMemoryRouteHealth(),
    rates: new FixedMinuteRates(inMemoryLimiter),
    clock: new SystemClock(),
    breaker: DEFAULT_BREAKER,
    maxDeadlineMs: config.maxDeadlineMs,
  });
  const { exitCode, output } = await explainCommand(options, explain);
  if (exitCode === 2) return { exitCode, output };
  // A request that no route may serve is explained as well: that is an answer, and no complaint.
  write(output);
  return { exitCode, output: '' };
}
