import type { PoolClient } from 'pg';
import { roundTrip } from '../../../../src/infra/store/postgres/round-trip';

function clientThat(query: (text: string) => Promise<unknown>, happened: string[]): PoolClient {
  const stream = { cork: () => happened.push('cork'), uncork: () => happened.push('uncork') };
  const client = {
    connection: { stream },
    query: ({ text }: { text: string }) => {
      happened.push(text);
      return query(text);
    },
  };
  return client as unknown as PoolClient;
}

describe('a round trip', () => {
  it('holds what it sends back until the last statement', async () => {
    const happened: string[] = [];
    await roundTrip(
      clientThat(() => Promise.resolve(), happened),
      [{ text: 'begin' }, { text: 'commit' }],
    );
    expect(happened).toEqual(['cork', 'begin', 'commit', 'uncork']);
  });

  it('lets go also when a statement cannot be sent', () => {
    const happened: string[] = [];
    const broken = clientThat(() => {
      throw new Error('no connection');
    }, happened);
    expect(() => roundTrip(broken, [{ text: 'begin' }])).toThrow('no connection');
    expect(happened).toEqual(['cork', 'begin', 'uncork']);
  });
});
