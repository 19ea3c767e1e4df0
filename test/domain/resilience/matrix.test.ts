import { FAULT_CLASSES, STAGES } from '../../../src/domain/resilience/fault';
import { allowedActions } from '../../../src/domain/resilience/matrix';
import { aFault } from '../../support/sample-situation';
import { MATRIX_ROWS } from './matrix-rows';

describe('matrix', () => {
  it.each(MATRIX_ROWS)('%s, %s: retry %s, channel fallback %s, model fallback %s', (...row) => {
    const [faultClass, stage, retry, channelFallback, modelFallback] = row;

    const allowed = allowedActions(aFault({ class: faultClass, stage }));

    expect(allowed).toEqual({ retry, channelFallback, modelFallback });
  });

  it('has a row for every class at every stage', () => {
    const cells = MATRIX_ROWS.map(([faultClass, stage]) => `${faultClass} ${stage}`);

    expect(cells).toEqual(
      FAULT_CLASSES.flatMap((faultClass) => STAGES.map((stage) => `${faultClass} ${stage}`)),
    );
  });

  it('allows no retry where the signal forbids it, and leaves the fallbacks', () => {
    const allowed = allowedActions(aFault({ retryable: false }));

    expect(allowed).toEqual({ retry: 'no', channelFallback: 'yes', modelFallback: 'opted_in' });
  });

  it('allows one retry after a conflict', () => {
    expect(allowedActions(aFault({ status: 409, code: 'conflict_error' })).retry).toBe('once');
  });
});
