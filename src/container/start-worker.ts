import type { DependencyContainer } from 'tsyringe';
import { Periodic } from '../delivery/worker/periodic';
import type { Closers } from './gateway';
import { TOKEN } from './token';

export type Worker = Readonly<{
  task: () => Promise<unknown>;
  intervalMs: number;
  /** What the log says of a run that failed, as an error, or what is to be done instead. */
  failed: string | ((error: unknown) => void);
}>;

/** Has the task run now and then every `intervalMs`, until the gateway stops. */
export function startWorker(container: DependencyContainer, closers: Closers, worker: Worker): void {
  const { task, intervalMs, failed } = worker;
  const logger = container.resolve(TOKEN.logger);
  const onFailure =
    typeof failed === 'string' ? (error: unknown): void => logger.error({ err: error }, failed) : failed;
  const periodic = new Periodic(task, intervalMs, onFailure);
  periodic.start();
  closers.unshift(() => periodic.stop());
}
