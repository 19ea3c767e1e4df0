import { RedisConnection } from '../../../src/infra/redis/redis-connection';
import { eventually } from '../../support/eventually';
import { addressOf, connect, describeWithRedis, describeWithRedisServer } from '../../support/redis';
import { RedisServer } from '../../support/redis-server';

type Line = Readonly<{ redis: string; reason?: string | null }>;

class RecordingLog {
  readonly lines: string[] = [];
  info = (facts: Line, text: string): void => this.add(facts, text);
  warn = (facts: Line, text: string): void => this.add(facts, text);

  private add({ redis, reason }: Line, text: string): void {
    this.lines.push([redis, text, ...(reason === undefined ? [] : [reason])].join(' | '));
  }
}

function connectionTo(url: string) {
  const log = new RecordingLog();
  const logger = log as unknown as ConstructorParameters<typeof RedisConnection>[0]['logger'];
  const connection = new RedisConnection({ address: addressOf(url), prefix: 'p:', logger });
  return { connection, log };
}

describeWithRedis('connection to the Redis that is there', () => {
  it('takes commands as soon as it is open', async () => {
    const connection = await connect();

    const pong = await connection.commands.ping();
    await connection.close();

    expect(pong).toBe('PONG');
    expect(connection.name('circuit')).toMatch(/^test-[0-9a-f]{12}:circuit$/);
  });
});

describeWithRedisServer('connection to a Redis that comes and goes', () => {
  let server: RedisServer;
  beforeEach(async () => {
    server = await RedisServer.start();
  });
  afterEach(() => server.kill());

  it('says once that it is away and once that it is back, and fails commands at once meanwhile', async () => {
    const { connection, log } = connectionTo(server.url);
    let ups = 0;
    connection.onUp(() => (ups += 1));
    await connection.open();
    expect(connection.isUp).toBe(true);

    await server.kill();
    await eventually(() => expect(connection.isUp).toBe(false));
    const startedAt = Date.now();
    const failures = await Promise.allSettled([1, 2, 3].map(() => connection.commands.ping()));
    const tookMs = Date.now() - startedAt;
    await server.start();
    await eventually(() => expect(connection.isUp).toBe(true));
    await connection.close();

    expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(tookMs).toBeLessThan(100);
    const url = server.url;
    expect(log.lines.map((line) => line.split(' | ').slice(0, 2).join(' | '))).toEqual([
      `${url} | redis is up`,
      `${url} | redis is away; going on without it`,
      `${url} | redis is up`,
    ]);
    expect(ups).toBe(2);
  });

  it('bounds a command to a server that says nothing, and finds out that it is gone', async () => {
    const { connection } = connectionTo(server.url);
    await connection.open();

    server.freeze();
    const startedAt = Date.now();
    await expect(connection.commands.ping()).rejects.toThrow(/timed out/i);
    const tookMs = Date.now() - startedAt;
    await eventually(() => expect(connection.isUp).toBe(false));
    await expect(connection.commands.ping()).rejects.toThrow();
    server.thaw();
    await eventually(() => expect(connection.isUp).toBe(true));
    await connection.close();

    expect(tookMs).toBeLessThan(1_000);
  });

  it('is open without a server too, soon, and takes it up when it comes', async () => {
    await server.kill();
    const { connection, log } = connectionTo(server.url);

    await connection.open();
    expect(connection.isUp).toBe(false);
    expect(log.lines).toEqual([
      expect.stringContaining('redis is away; going on without it | connect ECONNREFUSED'),
    ]);
    await server.start();
    await eventually(() => expect(connection.isUp).toBe(true));
    await connection.close();
  });

  it('never shows the password, neither a wrong one nor a right one', async () => {
    const admin = await connect(server.url, '');
    await admin.commands.config('SET', 'requirepass', 's3cr3t-right');
    await admin.close();
    const host = `127.0.0.1:${server.port}/0`;
    const wrong = connectionTo(`redis://:s3cr3t-wrong@${host}`);
    const right = connectionTo(`redis://:s3cr3t-right@${host}`);

    await Promise.all([wrong.connection.open(), right.connection.open()]);
    await Promise.all([wrong.connection.close(), right.connection.close()]);

    expect(wrong.log.lines).toEqual([
      expect.stringMatching(/^redis:\/\/127\.0\.0\.1:\d+\/0 \| redis is away.* \| WRONGPASS/),
    ]);
    expect(right.log.lines).toEqual([`redis://${host} | redis is up`]);
    expect(JSON.stringify([wrong.log.lines, right.log.lines])).not.toContain('s3cr3t');
  });
});
