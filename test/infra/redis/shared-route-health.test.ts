import { eventually } from '../../support/eventually';
import { describeWithRedis, describeWithRedisServer, forget, ownPrefix } from '../../support/redis';
import { RedisServer } from '../../support/redis-server';
import { SharingReplica } from '../../support/sharing-replica';

const OPEN_MS = 60_000;
/** What the way between two replicas may take from or add to a span. */
const SLACK_MS = 1_000;
const CHANNEL = 'health:changes';

let prefix: string;
let replicas: SharingReplica[];
beforeEach(() => {
  prefix = ownPrefix();
  replicas = [];
});
afterEach(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()));
});

async function replica(options: Parameters<typeof SharingReplica.start>[1] & { url?: string } = {}) {
  const { url, ...rest } = options;
  const started = await SharingReplica.start({ prefix, ...(url === undefined ? {} : { url }) }, rest);
  replicas.push(started);
  return started;
}

const seen = (one: SharingReplica, state: string): Promise<void> =>
  eventually(() => expect(one.circuit().state).toBe(state));

/** For all of them, and for Redis, whose clock can't be moved: what it holds ends earlier instead. */
async function pass(ms: number, ...those: readonly SharingReplica[]): Promise<void> {
  await Promise.all(those.map(({ health }) => health.tell()));
  await Promise.all(those.map(({ clock }) => clock.advance(ms)));
  const { commands } = those[0]!.connection;
  for (const name of ['circuits', 'throttles']) {
    for (const route of await commands.zrange(`${prefix}health:${name}`, '0', '-1'))
      await commands.zincrby(`${prefix}health:${name}`, -ms, route);
  }
}

/** Two of them, after a whole open time: the next who asks may try. */
async function pairWhoseTimeIsOver(): Promise<readonly [SharingReplica, SharingReplica]> {
  const [first, second] = [await replica(), await replica()];
  first.break();
  await seen(second, 'open');
  await pass(OPEN_MS, first, second);
  return [first, second];
}

function untilOf(one: SharingReplica): number {
  const circuit = one.circuit();
  if (circuit.state !== 'open') throw new Error(`open was expected, not ${circuit.state}`);
  return circuit.untilMs - one.clock.nowMs();
}

describeWithRedis('health that two replicas share', () => {
  afterEach(async () => {
    await replicas[0]?.health.tell();
    if (replicas[0] !== undefined) await forget(replicas[0].connection);
  });

  it('an opening is open at the other one for as long, whatever its clock says', async () => {
    const first = await replica();
    const second = await replica({ nowMs: 77_000_000 });
    const underWay = await second.permit();

    first.break();
    await seen(second, 'open');

    expect(untilOf(second)).toBe(OPEN_MS);
    expect(await second.permit()).toBeNull();
    expect(second.isCurrent(underWay!)).toBe(false);
    expect(second.circuit('haiku').state).toBe('closed');
  });

  it('one who starts later finds what runs, for as long as it still runs', async () => {
    const first = await replica();
    first.break();
    first.report('neutral', first.generation(), 500_000);
    await first.health.tell();

    const late = await replica({ nowMs: 5 });

    expect(untilOf(late)).toBeGreaterThan(OPEN_MS - SLACK_MS);
    expect(untilOf(late)).toBeLessThanOrEqual(OPEN_MS);
    expect(late.throttledForMs()).toBeGreaterThan(500_000 - SLACK_MS);
    expect(late.throttledForMs()).toBeLessThanOrEqual(500_000);
  });

  it('nothing stays in Redis for longer than it holds', async () => {
    const first = await replica();
    first.break();
    first.report('neutral', first.generation(), 500_000);
    await first.health.tell();
    const { commands } = first.connection;

    const lives = await Promise.all(
      ['circuits', 'throttles'].map((name) => commands.pttl(`${prefix}health:${name}`)),
    );

    expect(lives[0]).toBeGreaterThan(0);
    expect(lives[0]).toBeLessThanOrEqual(OPEN_MS);
    expect(lives[1]).toBeLessThanOrEqual(500_000);
  });

  it('a throttle holds at the other one', async () => {
    const [first, second] = [await replica(), await replica()];

    first.report('neutral', first.generation(), 20_000);

    await eventually(() => expect(second.throttledForMs()).toBe(20_000));
    expect(second.circuit().state).toBe('closed');
  });

  it('exactly one of them tries when the time is over, and the others wait for how it ends (B28)', async () => {
    const three = [await replica(), await replica(), await replica()];
    three[0]!.break();
    await Promise.all(three.map((one) => seen(one, 'open')));
    await pass(OPEN_MS, ...three);

    const asked = await Promise.all(three.flatMap((one) => [one.permit(), one.permit()]));
    const again = await Promise.all(three.map((one) => one.permit()));

    const granted = asked.flatMap((generation, at) => (generation === null ? [] : [at]));
    expect(granted).toHaveLength(1);
    expect(again).toEqual([null, null, null]);
    const tries = three[Math.floor(granted[0]! / 2)]!;
    tries.report('success', tries.generation());
    await Promise.all(three.map((one) => seen(one, 'closed')));
    for (const one of three) expect(await one.permit()).not.toBeNull();
  });

  it('a trial that failed opens it for all for a whole time', async () => {
    const [first, second] = await pairWhoseTimeIsOver();
    const generation = await first.permit();
    expect(await second.permit()).toBeNull();

    first.report('failure', generation!);
    await seen(second, 'open');
    expect(untilOf(second)).toBe(OPEN_MS);
    await pass(OPEN_MS, first, second);

    expect(await second.permit()).not.toBeNull();
  });

  it('a trial that said nothing leaves the slot to the next one, wherever he asks', async () => {
    const [first, second] = await pairWhoseTimeIsOver();
    const generation = await first.permit();
    expect(await second.permit()).toBeNull();

    first.report('neutral', generation!);
    await eventually(() => expect(second.circuit()).toEqual({ state: 'half_open', trialTaken: false }));

    expect(await second.permit()).not.toBeNull();
    expect(await first.permit()).toBeNull();
  });

  it('a trial of a replica that died is given up', async () => {
    const [first, second] = await pairWhoseTimeIsOver();
    await first.permit();
    expect(await second.permit()).toBeNull();
    await second.health.sync();
    expect(second.circuit()).toEqual({ state: 'half_open', trialTaken: true });

    // Its slot has run out, because nobody renewed it.
    await first.connection.commands.del(`${prefix}health:trial:mini`);
    await second.health.sync();

    expect(await second.permit()).not.toBeNull();
  });

  it('a late result of one replica changes nothing that another one has changed since', async () => {
    const [first, second] = [await replica(), await replica()];
    const early = await second.permit();
    first.break();
    await seen(second, 'open');
    await pass(OPEN_MS, first, second);
    first.report('success', (await first.permit())!);
    await seen(second, 'closed');
    const before = second.health.get('mini').breaker;

    second.report('account_fault', early!);

    expect(second.health.get('mini').breaker).toEqual(before);
    expect(first.circuit().state).toBe('closed');
  });

  it('messages that got lost are found by reading again', async () => {
    const [first, deaf] = [await replica(), await replica()];
    await deaf.connection.messages.unsubscribe(`${prefix}${CHANNEL}`);
    first.break();
    await first.health.tell();
    expect(deaf.circuit().state).toBe('closed');

    await deaf.health.sync();

    expect(deaf.circuit().state).toBe('open');
  });

  it('routes that the catalog does not have are nothing to remember', async () => {
    const first = await replica({ routes: ['mini'] });
    const other = await replica({ routes: ['haiku'] });
    first.break();
    await first.health.tell();

    await other.health.sync();

    expect(other.health.all().size).toBe(0);
  });

  it.each<[string, string]>([
    ['no JSON', 'opened mini'],
    ['no object', '[]'],
    ['null', 'null'],
    ['no sender', '{"routes":[]}'],
    ['no routes', '{"from":"x"}'],
    ['an unknown kind', changeText({ kind: 'blown', forMs: 5 })],
    ['a span of no time', changeText({ kind: 'opened', forMs: 0 })],
    ['a negative span', changeText({ kind: 'opened', forMs: -5 })],
    ['a span of words', changeText({ kind: 'throttled', forMs: '5' })],
    ['a span without end', changeText({ kind: 'throttled', forMs: 1e300 })],
    ['no span', changeText({ kind: 'opened' })],
    ['a route that is no name', JSON.stringify({ from: 'x', routes: [{ route: 7, changes: [] }] })],
    ['more routes than we tell at once', JSON.stringify({ from: 'x', routes: Array(101).fill({}) })],
    ['more than we read', JSON.stringify({ from: 'x'.repeat(70_000), routes: [] })],
  ])('a message of %s is counted, and changes nothing', async (_, text) => {
    const one = await replica();

    await one.connection.commands.publish(`${prefix}${CHANNEL}`, text);
    await eventually(() => expect(one.failures).toEqual(['hear']));

    expect(one.health.all().size).toBe(0);
  });

  it('a forged opening lasts no longer than one of ours, and a forged throttle than the longest', async () => {
    const one = await replica();

    await one.connection.commands.publish(
      `${prefix}${CHANNEL}`,
      JSON.stringify({
        from: 'mallory',
        routes: [
          {
            route: 'mini',
            changes: [
              { kind: 'opened', forMs: 86_400_000 },
              { kind: 'throttled', forMs: 86_400_000 },
            ],
          },
        ],
      }),
    );
    await seen(one, 'open');

    expect(untilOf(one)).toBe(OPEN_MS);
    expect(one.throttledForMs()).toBe(86_400_000);
  });

  it('what somebody else has put under our names is an error that is counted, and requests go on', async () => {
    const one = await replica();
    await one.connection.commands.set(`${prefix}health:circuits`, 'mine');
    await one.connection.commands.hset(`${prefix}health:trial:mini`, 'a', 'b');

    one.break();
    await one.clock.advance(OPEN_MS);
    const trial = await one.permit();
    await one.health.sync();

    expect(trial).not.toBeNull();
    expect(one.failures).toEqual(expect.arrayContaining(['tell', 'trial', 'sync']));
  });

  it('garbage among the openings is left out', async () => {
    const { connection } = await replica();
    await connection.commands.zadd(`${prefix}health:circuits`, '+inf', 'mini', '9e18', 'haiku');

    const other = await replica();

    expect(other.health.all().size).toBe(0);
    expect(other.failures).toEqual([]);
  });
});

function changeText(change: object): string {
  return JSON.stringify({ from: 'x', routes: [{ route: 'mini', changes: [change] }] });
}

describeWithRedisServer('health that two replicas share while their Redis comes and goes', () => {
  let server: RedisServer;
  beforeEach(async () => {
    server = await RedisServer.start();
  });
  afterEach(() => server.kill());

  it('each goes on alone without it, at once, and tells what it learned when it is back', async () => {
    const first = await replica({ url: server.url });
    const second = await replica({ url: server.url });
    await server.kill();
    await eventually(() => expect([first.connection.isUp, second.connection.isUp]).toEqual([false, false]));

    first.break();
    first.report('neutral', first.generation(), 30_000);
    await first.clock.advance(20_000);
    expect(second.circuit().state).toBe('closed');
    expect(await second.permit()).not.toBeNull();
    await server.start();
    await seen(second, 'open');

    // Heard or read: what is read has run for some milliseconds more.
    expect(untilOf(second)).toBeGreaterThan(OPEN_MS - 20_000 - SLACK_MS);
    expect(untilOf(second)).toBeLessThanOrEqual(OPEN_MS - 20_000);
    await eventually(() => expect(second.throttledForMs()).toBeGreaterThan(10_000 - SLACK_MS));
    expect(second.throttledForMs()).toBeLessThanOrEqual(10_000);
  });

  it('a trial needs nobody while it is away', async () => {
    const first = await replica({ url: server.url });
    first.break();
    await server.kill();
    await eventually(() => expect(first.connection.isUp).toBe(false));
    await first.clock.advance(OPEN_MS);

    expect(await first.permit()).not.toBeNull();
    expect(await first.permit()).toBeNull();
  });

  it('a trial is made when Redis says nothing, after a bounded wait', async () => {
    const first = await replica({ url: server.url });
    first.break();
    await first.health.tell();
    await first.clock.advance(OPEN_MS);

    server.freeze();
    const startedAt = Date.now();
    const generation = await first.permit();
    const tookMs = Date.now() - startedAt;
    server.thaw();

    expect(generation).not.toBeNull();
    expect(tookMs).toBeLessThan(1_500);
    expect(first.failures).toContain('trial');
  });
});
