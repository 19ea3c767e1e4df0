import { TestGateway } from '../support/gateway';
import { SleeplessTime } from '../support/gateway-time';
import { miniFirst } from '../support/gateway-policy';

const time = new SleeplessTime();
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start({ time });
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.reset());

const ASK = { model: 'gpt-4o-mini', messages: [{ role: 'user' as const, content: 'Hi' }] };
const LAST_OF_ITS_MINUTE = {
  kind: 'answer',
  headers: { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '1m0s' },
} as const;

describe('a provider whose answer used up our limit', () => {
  it('has answered all the same, and is spared by the next request, which says so', async () => {
    await gateway.putPolicy(miniFirst());
    gateway.openai.enqueue(LAST_OF_ITS_MINUTE);

    const last = await gateway.chat(ASK);
    const next = await gateway.chat(ASK);

    expect(last.status).toBe(200);
    expect(last.headers.get('x-schneeai-provider')).toBe('openai');
    expect(last.headers.get('x-ratelimit-remaining-requests')).toBeNull();
    expect(next.headers.get('x-schneeai-provider')).toBe('anthropic');
    expect(next.headers.get('x-schneeai-fallback-reason')).toBe('primary_throttled');
    expect(gateway.openai.received).toHaveLength(1);
  });
});
