import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readConfig } from '../../src/infra/config/config';

const ROOT = join(__dirname, '../..');
const KUBERNETES = join(ROOT, 'deploy/kubernetes');

type Variables = Readonly<Record<string, string | null>>;
type Entry = Readonly<{ name: string; value?: string; valueFrom?: { secretKeyRef: { key: string } } }>;

const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the shape of these documents is what is tested
const document = (path: string): any => parse(text(path), { merge: true });

const compose = document('docker-compose.yml');
const gateways = ['gateway-1', 'gateway-2'].map((name) => compose.services[name]);
const { template } = document('deploy/kubernetes/deployment.yaml').spec;
const [container] = template.spec.containers;
const settings: Variables = document('deploy/kubernetes/config.yaml').data;

/** Every variable that the gateway reads. */
function variablesRead(): ReadonlySet<string> {
  const read = new Set<string>();
  const environment = new Proxy<Record<string, string | undefined>>(
    {},
    {
      get: (_all, name) => {
        read.add(String(name));
        return undefined;
      },
    },
  );
  readConfig(environment);
  return read;
}

const delaySeconds = (variables: Variables): number =>
  Number(variables['SCHNEEAI_SHUTDOWN_DELAY_MS']) / 1_000;

/** docs/operations.md, "Stopping": the delay, the grace and 25 s. */
const stopSeconds = (variables: Variables): number =>
  delaySeconds(variables) + Number(variables['SCHNEEAI_SHUTDOWN_GRACE_MS'] ?? 30_000) / 1_000 + 25;

describe('docker-compose.yml', () => {
  it('has two replicas with the same settings', () => {
    const [one, other] = gateways.map(({ environment }) => environment);

    expect(one).toEqual(other);
    expect(one).toMatchObject({ DATABASE_URL: expect.anything(), REDIS_URL: expect.anything() });
  });

  it('sets only variables that the gateway reads', () => {
    expect([...variablesRead()]).toEqual(expect.arrayContaining(Object.keys(gateways[0].environment)));
  });

  it('holds no secret', () => {
    const { SCHNEEAI_SECRET_KEY, DATABASE_URL, OPENAI_API_KEY } = gateways[0].environment;

    expect(SCHNEEAI_SECRET_KEY).toMatch(/^\$\{SCHNEEAI_SECRET_KEY:\?/);
    expect(DATABASE_URL).toContain(':${POSTGRES_PASSWORD:?');
    expect(OPENAI_API_KEY).toBeNull();
  });

  it('lets nobody but the gateways reach the stores', () => {
    expect(compose.networks.inside).toEqual({ internal: true });
    for (const store of ['postgres', 'redis']) {
      expect(compose.services[store].networks).toEqual(['inside']);
      expect(compose.services[store]).not.toHaveProperty('ports');
    }
  });

  it('mounts a balancer’s settings that name both replicas', () => {
    const balancer = text('deploy/nginx/gateway.conf');

    expect(compose.services.balancer.volumes[0]).toMatch(/^\.\/deploy\/nginx\/gateway\.conf:/);
    expect(balancer).toMatch(/server gateway-1:8080/);
    expect(balancer).toMatch(/server gateway-2:8080/);
    expect(balancer).toMatch(/proxy_buffering off;/);
  });

  // Left out for 5 s each after a refusal, two replicas that were restarted one after the other left nginx with nobody to ask.
  it('never has the balancer leave a replica out', () => {
    const servers = text('deploy/nginx/gateway.conf').match(/^ *server gateway-.*$/gm);

    expect(servers).toHaveLength(2);
    for (const server of servers!) expect(server).toMatch(/ max_fails=0;$/);
  });

  it('leaves time to notice and to drain', () => {
    for (const { environment, stop_grace_period: period } of gateways) {
      expect(delaySeconds(environment)).toBeGreaterThanOrEqual(1);
      expect(parseInt(period)).toBeGreaterThanOrEqual(stopSeconds(environment));
    }
  });
});

describe('the Kubernetes manifests', () => {
  const files = readdirSync(KUBERNETES).filter((file) => file.endsWith('.yaml'));

  it('are all applied', () => {
    const applied = document('deploy/kubernetes/kustomization.yaml').resources;

    expect([...applied, 'kustomization.yaml'].sort()).toEqual([...files].sort());
  });

  it('set only variables that the gateway reads, to values that it takes', () => {
    const named = container.env.map(({ name }: Entry) => name);

    expect([...variablesRead()]).toEqual(expect.arrayContaining([...Object.keys(settings), ...named]));
    expect(readConfig(settings as Record<string, string>)).toMatchObject({ ok: true });
  });

  it('take every secret by reference, from one secret', () => {
    for (const entry of container.env as Entry[]) {
      expect(entry).toEqual({
        name: entry.name,
        valueFrom: { secretKeyRef: expect.objectContaining({ name: 'schneeai-gateway' }) },
      });
    }
    expect(files.map((file) => document(join('deploy/kubernetes', file)).kind)).not.toContain('Secret');
  });

  it('probe what the gateway answers', () => {
    const paths = ['startupProbe', 'readinessProbe', 'livenessProbe'].map(
      (probe) => container[probe].httpGet,
    );

    expect(paths.map(({ path }) => path)).toEqual(['/healthz', '/readyz', '/healthz']);
    // A store that is away must not get the process killed that finishes what runs.
    expect(container.livenessProbe.httpGet.path).not.toBe('/readyz');
  });

  it('leave time to notice and to drain', () => {
    expect(delaySeconds(settings)).toBeGreaterThanOrEqual(10);
    expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(stopSeconds(settings));
  });

  it('give no privilege', () => {
    expect(template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it.each([['deployment.yaml'], ['disruption-budget.yaml']])('%s selects the pods', (file) => {
    const { selector } = document(join('deploy/kubernetes', file)).spec;

    expect(template.metadata.labels).toMatchObject(selector.matchLabels);
  });

  it.each([
    ['service.yaml', 'selector'],
    ['network-policy.yaml', 'podSelector'],
  ])('%s selects the pods', (file, member) => {
    const selector = document(join('deploy/kubernetes', file)).spec[member];

    expect(template.metadata.labels).toMatchObject(selector.matchLabels ?? selector);
  });
});

describe('the Dockerfile', () => {
  const dockerfile = text('Dockerfile');

  it('runs the product by what the build makes, not as root', () => {
    expect(dockerfile).toMatch(/^USER 1000$/m);
    const { bin, scripts } = JSON.parse(text('package.json'));
    const [, start] = /^exec (.+) serve$/.exec(scripts.start)!;
    const entrypoint = /^ENTRYPOINT (\[.+\])$/m.exec(dockerfile)![1]!;
    expect(JSON.parse(entrypoint)).toEqual(['tini', '--', ...start!.split(' ')]);
    expect(bin.schneeai).toBe('dist/main.js');
  });

  it('copies only what the context lets through', () => {
    const context = text('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names]) =>
      names!.split(' ').map((name) => `!${name.replace(/^\.\//, '')}`),
    );

    expect(context.sort()).toEqual(copied.sort());
  });

  it('takes from better-sqlite3 all that it loads on Linux', () => {
    expect(readdirSync(join(ROOT, 'node_modules/better-sqlite3/prebuilds'))).toEqual(
      expect.arrayContaining(['linux-x64.node', 'linux-arm64.node']),
    );
  });
});
