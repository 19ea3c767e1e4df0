import pino from 'pino';
import { LogOutput } from '../../../src/infra/telemetry/log-output';
import { FakeClock } from '../../support/fake-clock';

class RecordingSink {
  private waiting = '';
  written = '';

  write(lines: string): void {
    this.waiting += lines;
  }

  flush(): void {
    this.written += this.waiting;
    this.waiting = '';
  }

  flushSync(): void {
    this.flush();
  }

  get messages(): readonly string[] {
    const lines = this.written.split('\n').filter((line) => line !== '');
    return lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  }
}

describe('the output of the log', () => {
  let sink: RecordingSink;
  let clock: FakeClock;
  let output: LogOutput;
  let logger: pino.Logger;

  beforeEach(() => {
    sink = new RecordingSink();
    clock = new FakeClock();
    output = new LogOutput(sink, clock);
    logger = pino({ level: 'info' }, output);
  });

  it('writes the lines of a tenth of a second together', async () => {
    logger.info('one');
    await clock.advance(99);
    logger.info('two');
    expect(sink.messages).toEqual([]);

    await clock.advance(1);
    expect(sink.messages).toEqual(['one', 'two']);
    logger.info('three');
    await clock.advance(100);
    expect(sink.messages).toEqual(['one', 'two', 'three']);
  });

  it('asks for no time when there is nothing to write', async () => {
    logger.info('one');
    await clock.advance(100);
    expect(clock.pendingTimers).toBe(0);
  });

  it.each(['warn', 'error', 'fatal'] as const)(
    'writes a line of level %s at once, with those before it',
    (level) => {
      logger.info('before');
      logger[level]('now');
      expect(sink.messages).toEqual(['before', 'now']);
    },
  );

  it('writes at once when what waits has become long', () => {
    logger.info('short');
    expect(sink.messages).toEqual([]);
    const long = 'x'.repeat(16_000);
    logger.info(long);
    expect(sink.messages).toEqual(['short', long]);
  });

  it('writes the rest when the process exits', () => {
    logger.info('last');
    output.flushSync();
    expect(sink.messages).toEqual(['last']);
  });

  it('waits again after a warning', () => {
    logger.warn('now');
    logger.info('later');
    expect(sink.messages).toEqual(['now']);
  });
});
