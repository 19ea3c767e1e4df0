import pino from 'pino';
import { PinoIncidentLog } from '../../../src/infra/telemetry/pino-incident-log';

function logged(): { incidents: PinoIncidentLog; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
  return { incidents: new PinoIncidentLog(pino({ level: 'info' }, { write })), lines };
}

const ERROR_LEVEL = 50;

describe('incident log', () => {
  it('tells operators of an account fault in the provider’s own words', () => {
    const { incidents, lines } = logged();

    incidents.accountFault({ provider: 'openai', channel: 'ch-a', status: 429, code: 'insufficient_quota' });

    expect(lines).toEqual([
      expect.objectContaining({
        level: ERROR_LEVEL,
        incident: 'account_fault',
        provider: 'openai',
        channel: 'ch-a',
        status: 429,
        code: 'insufficient_quota',
      }),
    ]);
  });
});
