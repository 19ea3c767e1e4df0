import type { DependencyContainer } from 'tsyringe';
import { TallyAttempts } from '../../src/usecase/health/tally-attempts';
import { TestGateway, type Json } from '../support/gateway';
import { miniFirst } from '../support/gateway-policy';
import { SleeplessTime } from '../support/gateway-time';

describe('/status', () => {
  it('tells anybody how each provider fared, failed attempts included, and nothing else', async () => {
    let container!: DependencyContainer;
    const time = new SleeplessTime();
    const gateway = await TestGateway.start({ time, overrides: (given) => (container = given) });
    const ask = () => gateway.chat({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }] });
    const status = async () => {
      await container.resolve(TallyAttempts).flush();
      time.skip(15_000);
      const { body } = await gateway.send('GET', '/status.json');
      const providers = body['providers'] as Json;
      return providers.map(({ provider, success_percent }) => [provider, success_percent!['last_hour']]);
    };
    try {
      expect(await status()).toEqual([
        ['anthropic', null],
        ['openai', null],
      ]);

      await gateway.putPolicy(miniFirst({ retry: { max_retries: 1, max_retries_before_fallback: 1 } }));
      await ask();
      gateway.openai.setBehaviour({ kind: 'status', status: 503, body: {} });
      expect((await ask()).status).toBe(200);

      expect(await status()).toEqual([
        ['anthropic', 100],
        ['openai', 33.3],
      ]);
      const page = await gateway.send('GET', '/status', { headers: { accept: 'text/html' } });
      expect(page.headers.get('content-type')).toContain('text/html');
      expect(page.text).toContain('33.3 %');
      expect(page.text).not.toMatch(/acme|gpt-4o|claude|channel/i);
    } finally {
      await gateway.stop();
    }
  });
});
