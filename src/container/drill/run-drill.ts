import pino from 'pino';
import type { Overrides } from '../../container';
import type { CommandOutcome } from '../../delivery/cli/command-outcome';
import { drillCommand } from '../../delivery/cli/drill-command';
import { DRILL_USAGE, drillOptions } from '../../delivery/cli/drill-options';
import type { Config } from '../../infra/config/config';
import { SystemClock } from '../../infra/runtime/system-clock';
import { RehearsePolicies } from '../../usecase/drill/rehearse-policies';
import { readSource } from './drill-source';
import { withStage } from './with-stage';

export type DrillRun = Readonly<{
  config: Config;
  write: (text: string) => void;
  /** Breaks a part of the rehearsed gateway on purpose. */
  overrides?: Overrides;
}>;

/** `schneeai drill`, from its arguments to its exit code. */
export async function runDrill(args: readonly string[], run: DrillRun): Promise<CommandOutcome> {
  const options = drillOptions(args);
  if (typeof options === 'string') return { exitCode: 2, output: `${options}\n\n${DRILL_USAGE}` };
  const { config, write, overrides } = run;
  const logger = pino({ level: 'silent' });
  const source = await readSource(config, logger);
  return drillCommand(options, {
    ...source,
    nowMs: new SystemClock().nowMs(),
    maxDeadlineMs: config.maxDeadlineMs,
    write,
    rehearse: (facts, program, drills, onResult) =>
      withStage({ config, logger, facts, overrides }, (stage) =>
        new RehearsePolicies(stage).execute(program, drills, onResult),
      ),
  });
}
