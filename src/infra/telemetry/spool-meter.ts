import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { SpoolObserver } from '../store/spool/spool-observer';

/** Counts what the spool takes and gives back, and says once when it begins to fill and once when it is empty again. */
export class SpoolMeter implements SpoolObserver {
  private readonly inSpool: Gauge;
  private readonly taken: Counter;
  private readonly given: Counter;
  private state: 'empty' | 'filled' = 'empty';

  constructor(
    registry: Registry,
    private readonly logger: Logger,
  ) {
    const registers = [registry];
    this.inSpool = new Gauge({
      name: 'schneeai_spool_closings',
      help: 'Closing records on disk that the store could not take yet.',
      registers,
    });
    this.taken = new Counter({
      name: 'schneeai_spooled_closings_total',
      help: 'Closing records that were kept on disk because the store took none.',
      registers,
    });
    this.given = new Counter({
      name: 'schneeai_spool_written_closings_total',
      help: 'Closing records that went from disk to the store.',
      registers,
    });
  }

  depth(closings: number): void {
    this.inSpool.set(closings);
    if (closings > 0) this.begin({ closings }, 'closing records are in the spool');
    else if (this.state === 'filled') {
      this.state = 'empty';
      this.logger.info('the spool is empty: every closing record is in the store');
    }
  }

  kept(closings: number, cause: unknown): void {
    this.taken.inc(closings);
    this.begin(
      { err: cause },
      'the store takes no closing records: they are kept in the spool until it does',
    );
  }

  written(closings: number): void {
    this.given.inc(closings);
  }

  private begin(facts: object, message: string): void {
    if (this.state === 'filled') return;
    this.state = 'filled';
    this.logger.warn(facts, message);
  }
}
