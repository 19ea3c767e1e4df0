import express from 'express';
import helmet from 'helmet';
import request from 'supertest';
import { statusRouter } from '../../../../src/delivery/http/operations/status-router';
import { observedSuccess, type ProviderMinute } from '../../../../src/domain/health/observed-success';

const NOW = Date.parse('2026-11-30T12:34:56Z');
const MINUTES: readonly ProviderMinute[] = [
  { provider: 'openai', minuteMs: NOW - 60_000, answered: 998, failed: 2 },
  { provider: 'openai', minuteMs: NOW - 3 * 3_600_000, answered: 4_711, failed: 4_711 },
];

const app = ({ sandbox = false, name = 'OpenAI' } = {}) => {
  const [openai, quiet] = observedSuccess(['openai', 'quiet'], MINUTES, NOW);
  const providers = [
    { ...openai!, name },
    { ...quiet!, name: 'Quiet' },
  ];
  const readStatus = { execute: async () => ({ atMs: NOW, providers }) };
  return express().use(helmet(), statusRouter({ readStatus, sandbox }));
};

describe('/status', () => {
  it.each([
    ['/status.json', 'text/html'],
    ['/status', 'application/json'],
  ])('%s tells as JSON how often providers answered', async (path, accept) => {
    const { status, body } = await request(app()).get(path).set('accept', accept);

    expect(status).toBe(200);
    expect(body).toMatchObject({ at: '2026-11-30T12:34:56.000Z', sandbox: false });
    const [openai, quiet] = body.providers;
    expect({ ...openai, hours: openai.hours.length }).toEqual({
      provider: 'openai',
      name: 'OpenAI',
      success_percent: { last_5_minutes: 99.8, last_hour: 99.8, last_24_hours: 54.7 },
      hours: 24,
    });
    expect(openai.hours.at(-1)).toEqual({ from: '2026-11-30T12:00:00.000Z', success_percent: 99.8 });
    expect(openai.hours.at(-4)).toEqual({ from: '2026-11-30T09:00:00.000Z', success_percent: 50 });
    expect(quiet.success_percent).toEqual({ last_5_minutes: null, last_hour: null, last_24_hours: null });
  });

  it.each(['text/html,*/*;q=0.8', '*/*'])('is a page for who accepts %s', async (accept) => {
    const response = await request(app()).get('/status').set('accept', accept);

    expect(response.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.get('vary')).toBe('accept');
    expect(response.text).toContain('<td>OpenAI</td><td>99.8 %</td><td>99.8 %</td><td>54.7 %</td>');
    expect(response.text).toContain('<td>Quiet</td><td>no traffic</td>');
    expect(response.text).toContain('<td class="bad" title="09:00: 50.0 %"');
    expect(response.text).not.toContain('SANDBOX');
  });

  it('asks its browser for nothing that its security policy forbids', async () => {
    const { headers, text } = await request(app()).get('/status');

    expect(headers['content-security-policy']).toMatch(/style-src [^;]*'unsafe-inline'/);
    expect(text).not.toMatch(/<script|<img|<link|@import|url\(|\son\w+=|javascript:/i);
  });

  it('tells no one how many calls there were', async () => {
    const page = await request(app()).get('/status');
    const json = await request(app()).get('/status.json');

    for (const { text } of [page, json]) expect(text).not.toMatch(/998|4711|answered":|failed":/);
  });

  it('shows a name as text, whatever is in it', async () => {
    const { text } = await request(app({ name: `<b onclick='x'>"&` })).get('/status');

    expect(text).toContain('<td>&lt;b onclick=&#39;x&#39;&gt;&quot;&amp;</td>');
  });

  it('says of a sandbox that it is one', async () => {
    const sandbox = app({ sandbox: true });

    expect((await request(sandbox).get('/status')).text).toContain('SANDBOX: these providers are simulated.');
    expect((await request(sandbox).get('/status.json')).body.sandbox).toBe(true);
  });
});
