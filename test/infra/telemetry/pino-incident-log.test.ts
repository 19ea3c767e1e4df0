import pino from 'pino';
import type { ClosingRecord } from '../../../src/domain/audit/audit-record';
import { NO_USAGE } from '../../../src/domain/interaction/usage';
import { PinoIncidentLog } from '../../../src/infra/telemetry/pino-incident-log';
import { FAILED_ATTEMPT } from '../../support/sample-attempt';
import { aChannel, aRoute } from '../../support/sample-catalog';

const CHANNEL = aChannel({
  id: 'ch',
  options: { ...aChannel().options, headers: { 'x-account': 'canary-header' } },
});
const PROSE = { status: 503, message: 'canary-prose', type: null, code: null, param: null };

const CLOSING: ClosingRecord = {
  requestId: 'req_1',
  state: 'failed',
  closedAtMs: 2_000,
  errorCode: 'provider_failed',
  served: null,
  fallbackReason: null,
  refusals: [],
  attempts: 1,
  usage: NO_USAGE,
  costMicroUsd: null,
  lastAttempt: {
    ...FAILED_ATTEMPT,
    route: aRoute({ channel: CHANNEL }),
    outcome:
      FAILED_ATTEMPT.outcome.kind === 'failed'
        ? { kind: 'failed', fault: { ...FAILED_ATTEMPT.outcome.fault, providerError: PROSE } }
        : FAILED_ATTEMPT.outcome,
  },
};

describe('incident log', () => {
  let lines: string[];
  let incidents: PinoIncidentLog;

  beforeEach(() => {
    lines = [];
    incidents = new PinoIncidentLog(pino({}, { write: (line) => void lines.push(line) }));
  });

  it('holds a closing that could not be written, so that it can be restored', () => {
    incidents.closingNotRecorded(CLOSING, new Error('disk full'));

    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 50,
      incident: 'closing_not_recorded',
      requestId: 'req_1',
      closing: {
        requestId: 'req_1',
        state: 'failed',
        errorCode: 'provider_failed',
        attempts: 1,
        lastAttempt: {
          number: 1,
          status: 503,
          route: {
            id: 'off',
            provider: 'openai',
            channel: 'ch',
            region: 'us',
            model: 'gpt-s',
            upstreamName: 'gpt-s',
          },
          outcome: { kind: 'failed', fault: { class: 'server_error', code: 'overloaded' } },
        },
      },
      err: { message: 'disk full' },
    });
  });

  // B47: configured headers may hold an account's secret, and a provider's words may quote the prompt.
  it('holds neither a channel’s headers nor a provider’s words', () => {
    incidents.closingNotRecorded(CLOSING, new Error('disk full'));

    expect(lines.join('')).not.toContain('canary');
  });

  it.each([
    ['served', { ...FAILED_ATTEMPT, outcome: { kind: 'served', finishReason: 'stop' } } as const],
    ['absent', null],
  ])('takes a last attempt that is %s', (_name, lastAttempt) => {
    incidents.closingNotRecorded({ ...CLOSING, lastAttempt }, new Error('disk full'));

    expect(JSON.parse(lines[0] ?? '').closing.lastAttempt?.outcome).toEqual(lastAttempt?.outcome);
  });

  it('names the request that a defect ended', () => {
    incidents.defect('req_1', new Error('undefined is not a function'));

    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 50,
      incident: 'defect',
      requestId: 'req_1',
      err: { message: 'undefined is not a function', stack: expect.stringContaining('incident-log.test') },
    });
  });

  it('tells of an account fault in the provider’s own words', () => {
    incidents.accountFault({ provider: 'openai', channel: 'ch-a', status: 429, code: 'insufficient_quota' });

    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 50,
      incident: 'account_fault',
      provider: 'openai',
      channel: 'ch-a',
      status: 429,
      code: 'insufficient_quota',
    });
  });

  it('tells of failed probes with the routes that were opened', () => {
    const fault = { class: 'server_error', code: null, status: 503 } as const;

    incidents.probesFailed({ provider: 'openai', channel: 'ch-a', fault, opened: ['a-1', 'a-2'] });

    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 50,
      incident: 'probes_failed',
      channel: 'ch-a',
      fault,
      opened: ['a-1', 'a-2'],
    });
  });

  it.each([
    { name: 'was taken back', level: 40, incident: 'canary_rolled_back' },
    { name: 'could not be taken back', level: 50, incident: 'canary_not_rolled_back' },
  ])('names the canary that $name', ({ level, incident }) => {
    const canary = { tenant: 'acme', policy: 'main', version: 3 };

    if (level === 40) incidents.canaryRolledBack({ ...canary, newVersion: 4, requests: 20, failures: 9 });
    else incidents.canaryNotRolledBack(canary, new Error('disk full'));

    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level, incident, ...canary });
  });

  it('holds a closing that came too late, without the prose of a provider', () => {
    incidents.closingSuperseded(CLOSING);

    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 50,
      incident: 'closing_superseded',
      requestId: 'req_1',
      closing: { state: 'failed', lastAttempt: { number: 1 } },
    });
    expect(lines[0]).not.toMatch(/canary-(prose|header)/);
  });

  it('says where a damaged spool file is', () => {
    incidents.spoolDamaged('/data/spool/closings-1.damaged', 2);

    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      incident: 'spool_damaged',
      path: '/data/spool/closings-1.damaged',
      lines: 2,
    });
  });
});
