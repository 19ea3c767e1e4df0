import pino, { type DestinationStream } from 'pino';
import type { Timer } from '../../usecase/port/timer';
import { SystemTimer } from '../runtime/system-timer';

/** How long a line may wait for others, milliseconds. */
const FLUSH_MS = 100;
/** Characters that wait at most: some forty interactions'. */
const BUFFER_LENGTH = 16_000;

/** Makes pino say the level of each line (https://getpino.io/#/docs/api?id=metadata-support). */
const METADATA: unique symbol = Symbol.for('pino.metadata');

type Sink = Readonly<{ write(lines: string): unknown; flush(): void; flushSync(): void }>;

/** Standard output, written in the background. What is shorter than `minLength` waits there for a flush. */
export function standardOutput(): Sink {
  return pino.destination({ sync: false, minLength: BUFFER_LENGTH });
}

/**
 * Where the log goes, some lines at a time: a system call for each line costs more than all else about it. Warnings and
 * errors wait for nothing. `flushSync` belongs to the exit of the process; a SIGKILL loses a tenth of a second of ordinary
 * lines, none of which is a record of anything.
 */
export class LogOutput implements DestinationStream {
  readonly [METADATA] = true;
  lastLevel = 0;
  private waiting = '';
  private flushing: 'due' | 'no' = 'no';

  constructor(
    private readonly sink: Sink,
    private readonly timer: Timer = new SystemTimer(),
  ) {}

  write(line: string): void {
    this.waiting += line;
    const urgent = this.lastLevel >= pino.levels.values['warn']!;
    if (urgent || this.waiting.length >= BUFFER_LENGTH) return this.flush();
    if (this.flushing === 'due') return;
    this.flushing = 'due';
    this.timer.start(FLUSH_MS, () => {
      this.flushing = 'no';
      this.flush();
    });
  }

  /** Writes what waits before it returns. */
  flushSync(): void {
    this.passOn();
    this.sink.flushSync();
  }

  private flush(): void {
    if (this.waiting === '') return;
    this.passOn();
    this.sink.flush();
  }

  private passOn(): void {
    this.sink.write(this.waiting);
    this.waiting = '';
  }
}
