import OpenAI from 'openai';
import { TestGateway } from '../support/gateway';
import { MINI, only } from '../support/gateway-policy';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.reset());

const ASK = { model: 'gpt-4o-mini', messages: [{ role: 'user' as const, content: 'Hi' }] };

/** What the client throws. */
async function thrownBy(call: Promise<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> {
  const thrown: unknown = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (thrown instanceof OpenAI.APIError) return thrown;
  throw new Error(`The client threw no APIError but ${String(thrown)}`);
}

describe('the official client raises', () => {
  it('AuthenticationError for a wrong key', async () => {
    const error = await thrownBy(gateway.client({ key: 'sk-wrong' }).chat.completions.create(ASK));

    expect(error).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(error).toMatchObject({ status: 401, code: 'invalid_api_key', type: 'authentication_error' });
  });

  it('PermissionDeniedError for a key without the scope', async () => {
    const key = await gateway.issueKey('acme', { scopes: ['audit:read'] });

    const error = await thrownBy(gateway.client({ key }).chat.completions.create(ASK));

    expect(error).toBeInstanceOf(OpenAI.PermissionDeniedError);
    expect(error).toMatchObject({ status: 403, code: 'forbidden' });
  });

  it('NotFoundError for a model that nobody offers', async () => {
    const error = await thrownBy(gateway.client().chat.completions.create({ ...ASK, model: 'gpt-9' }));

    expect(error).toBeInstanceOf(OpenAI.NotFoundError);
    expect(error).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' });
  });

  it('BadRequestError for a field of a wrong type, naming it', async () => {
    const error = await thrownBy(gateway.client().chat.completions.create({ ...ASK, max_tokens: -1 }));

    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ status: 400, code: 'invalid_request_error', param: 'max_tokens' });
  });

  it('BadRequestError with the code of the provider', async () => {
    const body = {
      error: {
        message: 'Too long.',
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      },
    };
    gateway.openai.setBehaviour({ kind: 'status', status: 400, body });

    const error = await thrownBy(gateway.client().chat.completions.create(ASK));

    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ code: 'context_length_exceeded', param: 'messages' });
  });

  it("UnprocessableEntityError for a provider's 422", async () => {
    gateway.openai.setBehaviour({ kind: 'status', status: 422, body: { error: { message: 'No.' } } });

    const error = await thrownBy(gateway.client().chat.completions.create(ASK));

    expect(error).toBeInstanceOf(OpenAI.UnprocessableEntityError);
  });

  it('RateLimitError when every route is rate-limited', async () => {
    await gateway.putPolicy(only(MINI, { retry: { max_retries: 0 } }));
    gateway.openai.setBehaviour({ kind: 'status', status: 429, headers: { 'retry-after': '20' } });

    const error = await thrownBy(gateway.client().chat.completions.create(ASK));

    expect(error).toBeInstanceOf(OpenAI.RateLimitError);
    expect(error.code).toBe('rate_limit_exceeded');
    expect(error.headers!.get('retry-after')).toBe('20');
  });

  it.each(['whole', 'streamed'] as const)(
    'InternalServerError for a provider that fails, %s',
    async (form) => {
      await gateway.putPolicy(only(MINI));
      gateway.openai.setBehaviour({ kind: 'status', status: 503 });

      const call = gateway.client().chat.completions.create({ ...ASK, stream: form === 'streamed' });
      const error = await thrownBy(call);

      expect(error).toBeInstanceOf(OpenAI.InternalServerError);
      expect(error).toMatchObject({ status: 502, code: 'provider_failed', type: 'server_error' });
      expect(error.requestID).toMatch(/^req_/);
    },
  );

  it('APIError in the middle of a stream that breaks after output', async () => {
    gateway.openai.setBehaviour({ kind: 'answer', interruption: { after: 1, by: 'close' } });

    const stream = await gateway.client().chat.completions.create({ ...ASK, stream: true });
    const seen: string[] = [];
    const read = async () => {
      for await (const chunk of stream) seen.push(chunk.choices[0]?.delta.content ?? '');
    };

    const error = await thrownBy(read());
    expect(error.code).toBe('provider_failed');
    expect(seen.join('')).toBe('openai');
  });
});
