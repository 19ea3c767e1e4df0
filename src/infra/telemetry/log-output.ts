import pino, { type DestinationStream } from 'pino';
import type { Timer } from '../../usecase/port/timer';
import { SystemTimer } from '../runtime/system-timer';

/** How long a line may wait for others, milliseconds. */
const FLUSH_MS = 100;
/** Characters that wait at most: some ten interactions'. More are written at once. */
const BUFFER_LENGTH = 4_096;

/** Makes pino say the level of each line (https://getpino.io/#/docs/api?id=metadata-support). */
const METADATA: unique symbol = Symbol.for('pino.metadata');

type Sink = Readonly<{ write(lines: string): unknown; flush(): void; flushSync(): void }>;

/**
 * Where the log goes: standard output, written in the background and some lines at a time, as a system call for each line
 * costs more than all else about it. Warnings and errors wait for nothing. An exit of the process writes the rest; a
 * SIGKILL loses a tenth of a second of ordinary lines, none of which is a record of anything.
 */
export class LogOutput implements DestinationStream {
  readonly [METADATA] = true;
  lastLevel = 0;
  private flushing: 'due' | 'no' = 'no';

  constructor(
    private readonly sink: Sink = pino.destination({ sync: false, minLength: BUFFER_LENGTH }),
    private readonly timer: Timer = new SystemTimer(),
  ) {}

  write(line: string): void {
    this.sink.write(line);
    if (this.lastLevel >= pino.levels.values['warn']!) return this.sink.flush();
    if (this.flushing === 'due') return;
    this.flushing = 'due';
    this.timer.start(FLUSH_MS, () => {
      this.flushing = 'no';
      this.sink.flush();
    });
  }

  /** Writes what waits before it returns: for the last line of a process. */
  flushSync(): void {
    this.sink.flushSync();
  }
}
