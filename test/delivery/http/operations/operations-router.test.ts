import express from 'express';
import { Counter, Registry } from 'prom-client';
import request from 'supertest';
import { operationsRouter, type Readiness } from '../../../../src/delivery/http/operations/operations-router';
import type { SharingState } from '../../../../src/usecase/port/sharing';

const READY: Readiness = { notReadyBecause: async () => null };

const app = (readiness: Readiness, sandbox = false, metrics = new Registry(), shares: SharingState = 'off') =>
  express().use(operationsRouter({ readiness, metrics, sandbox, sharing: { state: () => shares } }));

describe('operations', () => {
  it('/healthz says that the process lives, whatever else is wrong', async () => {
    const broken: Readiness = { notReadyBecause: () => Promise.reject(new Error('gone')) };

    const response = await request(app(broken)).get('/healthz');

    expect(response.status).toBe(200);
    expect(response.body).toEqual({ status: 'ok' });
  });

  it.each([[true], [false]])('/readyz says ready, and whether this is a sandbox: %s', async (sandbox) => {
    const response = await request(app(READY, sandbox)).get('/readyz');

    expect(response.status).toBe(200);
    expect(response.body).toEqual({ status: 'ready', sandbox });
  });

  it.each<SharingState>(['shared', 'alone'])(
    '/readyz is ready while health is %s, and says so',
    async (shares) => {
      const response = await request(app(READY, false, new Registry(), shares)).get('/readyz');

      expect(response.status).toBe(200);
      expect(response.body).toEqual({ status: 'ready', sandbox: false, sharing: shares });
    },
  );

  it('/readyz says why it is not', async () => {
    const readiness: Readiness = { notReadyBecause: async () => 'the audit store does not answer' };

    const response = await request(app(readiness)).get('/readyz');

    expect(response.status).toBe(503);
    expect(response.body).toEqual({
      status: 'not_ready',
      sandbox: false,
      reason: 'the audit store does not answer',
    });
  });

  it('/metrics speaks Prometheus', async () => {
    const metrics = new Registry();
    new Counter({ name: 'snow_total', help: 'Flakes.', registers: [metrics] }).inc(3);

    const response = await request(app(READY, false, metrics)).get('/metrics');

    expect(response.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(response.text).toBe('# HELP snow_total Flakes.\n# TYPE snow_total counter\nsnow_total 3\n');
  });

  it.each(['/Healthz', '/READYZ', '/Metrics'])('%s is nothing', async (path) => {
    expect((await request(app(READY)).get(path)).status).toBe(404);
  });
});
