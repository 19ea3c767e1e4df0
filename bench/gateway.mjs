/** The built gateway, with everything switched on: keys, eligibility, a policy with a fallback, ledger, audit, metrics, log. */
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ask } from './load.mjs';
import { CORE, start, stop } from './processes.mjs';

/** Of no worth. A store is copied without its data folder, so its secret key is given. */
const SECRETS = {
  BENCH_KEY: 'sk-bench-0123456789abcdef',
  SCHNEEAI_SECRET_KEY: 'bench-0123456789abcdef0123456789abcdef',
};

/** Of Node, as in `npm start`. */
export const START_FLAGS = createRequire(import.meta.url)('../package.json').scripts.start.match(/--\S+/g);

export function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Starts the gateway; it may not be listening yet. Its log goes to a file at the default level. */
export function startGateway({ dist, dataDir, port, nodeArgs = [], env = {}, stderr }) {
  const log = join(dirname(dataDir), 'gateway.log');
  mkdirSync(dirname(log), { recursive: true });
  const started = start({
    core: CORE.measured,
    args: [...START_FLAGS, ...nodeArgs, join(dist, 'main.js'), 'serve'],
    env: {
      ...SECRETS,
      ...env,
      PORT: String(port),
      SCHNEEAI_DATA_DIR: dataDir,
      SCHNEEAI_SANDBOX: 'off',
      SCHNEEAI_ALLOW_PRIVATE_CHANNEL_URLS: 'true',
    },
    log,
    stderr,
  });
  return Object.assign(started, { log, url: `http://127.0.0.1:${port}` });
}

/** Fills a new store; returns the keys of an app and of an operator. */
export async function setUpGateway({ dist, dataDir, upstreamUrl, env }) {
  const port = await freePort();
  const gateway = startGateway({ dist, dataDir, port, env });
  const operator = await keyIn(gateway);
  const admin = adminOf(gateway.url, operator);
  await catalog(admin, upstreamUrl);
  await admin('POST', '/tenants', { id: 'bench', name: 'Bench', features: { failover: true } });
  await admin('PUT', '/tenants/bench/eligibility', { allowed_regions: ['us'] });
  await admin('PUT', '/tenants/bench/routing-policies/bench', {
    match: ['bench-model'],
    primary: { provider: 'bench-openai', model: 'bench-model' },
    fallbacks: [{ provider: 'bench-anthropic', model: 'bench-claude' }],
  });
  const { secret } = await admin('POST', '/tenants/bench/keys', { name: 'bench app', scopes: ['chat'] });
  if ((await ask({ url: gateway.url, key: secret })) === null)
    throw new Error('The gateway does not answer.');
  await stop(gateway, 'SIGTERM');
  return { app: secret, operator };
}

async function keyIn({ log, child }) {
  for (;;) {
    const [, key] = /export SCHNEEAI_OPERATOR_KEY=(\S+)/.exec(readFileSync(log, 'utf8')) ?? [];
    if (key !== undefined) return key;
    if (child.exitCode !== null) throw new Error(`The gateway did not start:\n${readFileSync(log, 'utf8')}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export function adminOf(url, key) {
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}/admin/v1${path}`, { method, headers, body: JSON.stringify(body) });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  };
}

async function catalog(admin, upstreamUrl) {
  const wires = [
    { kind: 'openai', id: 'bench-openai', model: 'bench-model', base_url: `${upstreamUrl}/v1` },
    { kind: 'anthropic', id: 'bench-anthropic', model: 'bench-claude', base_url: upstreamUrl },
  ];
  for (const { kind, id, model, base_url } of wires) {
    await admin('POST', '/providers', { id, name: id });
    await admin('POST', '/channels', {
      ...{ id, provider: id, kind, base_url },
      ...{ credential_ref: 'env:BENCH_KEY', region: 'us' },
    });
    await admin('POST', '/models', { name: model, provider: id });
    const price = { input: 150_000, output: 600_000 };
    await admin('POST', '/offerings', { channel: id, model, upstream_name: model, price });
  }
}
