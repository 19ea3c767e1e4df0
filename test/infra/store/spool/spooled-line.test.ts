import fc from 'fast-check';
import { closingOfLine, lineOf } from '../../../../src/infra/store/spool/spooled-line';
import { sha256 } from '../../../../src/infra/runtime/sha256';
import { CHANNEL, closing, failedAttempt, ROUTE } from '../../../support/store/sample-records';

const bare = (line: string): string => line.slice(0, -1);

describe('a line of the spool', () => {
  it('holds all that a closing row and its ledger row will have', () => {
    const record = closing('req_1');

    const restored = closingOfLine(bare(lineOf(record)))!;

    const route = { ...ROUTE, channel: { ...CHANNEL, baseUrl: '', credentialRef: '' } };
    route.channel.options = { ...CHANNEL.options, headers: {}, organization: null, project: null };
    expect(restored).toEqual({ ...record, lastAttempt: { ...record.lastAttempt, route } });
  });

  it('holds an interaction without attempts', () => {
    const record = closing('req_1', {
      lastAttempt: null,
      served: null,
      state: 'failed',
      errorCode: 'gateway_error',
    });

    expect(closingOfLine(bare(lineOf(record)))).toEqual(record);
  });

  it.each(['prose that may quote a prompt', 'x-team', 'api.openai.example', 'OPENAI_API_KEY', 'proj_1'])(
    'never holds %s',
    (secret) => {
      expect(lineOf(closing('req_1', { lastAttempt: failedAttempt() }))).not.toContain(secret);
    },
  );

  it('is not taken for whole when it was cut short anywhere', () => {
    const line = bare(lineOf(closing('req_1')));

    fc.assert(
      fc.property(fc.nat(line.length - 1), (length) => closingOfLine(line.slice(0, length)) === null),
    );
  });

  it('is not taken for whole when any of its characters was changed', () => {
    const line = bare(lineOf(closing('req_1')));

    fc.assert(
      fc.property(fc.nat(line.length - 1), (at) => {
        const changed = `${line.slice(0, at)}\u0000${line.slice(at + 1)}`;
        return at === 64 || closingOfLine(changed) === null;
      }),
    );
  });

  it('is left alone in a form of another version', () => {
    const json = JSON.stringify({ form: 2, closing: closing('req_1') });

    expect(closingOfLine(`${sha256(json)} ${json}`)).toBeNull();
  });
});
