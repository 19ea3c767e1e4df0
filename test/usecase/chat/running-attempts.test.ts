import fc from 'fast-check';
import { AttemptAbort } from '../../../src/usecase/chat/attempt-abort';
import { RunningAttempts } from '../../../src/usecase/chat/running-attempts';
import { FakeClock } from '../../support/fake-clock';

const newAbort = () => new AttemptAbort(new FakeClock(), new AbortController().signal);

describe('the running attempts', () => {
  it('ends those that still run, whatever the order in which others have ended', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 5 }), { maxLength: 40 }), (steps) => {
        const running = new RunningAttempts();
        const attempts = Array.from({ length: 6 }, newAbort);
        const under = new Set<AttemptAbort>();
        // Each step begins an attempt, or ends it if it runs.
        for (const abort of steps.map((index) => attempts[index]!)) {
          if (under.delete(abort)) {
            running.remove(abort);
          } else {
            under.add(abort);
            running.add(abort);
          }
        }
        running.abortAll('shutdown');
        for (const abort of attempts) expect(abort.cause).toBe(under.has(abort) ? 'shutdown' : null);
      }),
    );
  });
});
