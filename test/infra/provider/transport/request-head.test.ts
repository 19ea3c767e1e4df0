import { headRecorder, recordHead } from '../../../../src/infra/provider/transport/request-head';

describe('the head of a request', () => {
  it('is what an SDK would send, in lower case, without compression, and nothing is sent', async () => {
    let answer: Response | undefined;
    const head = await recordHead(async (options) => {
      const init = {
        method: 'post',
        headers: { 'X-Token': 'a', 'Accept-Encoding': 'gzip' },
        ...options.fetchOptions,
      };
      answer = await headRecorder('https://nowhere.invalid/v1/chat?a=1', init);
    });

    expect(head).toEqual({
      ...{ method: 'POST', origin: 'https://nowhere.invalid', path: '/v1/chat?a=1' },
      headers: { 'x-token': 'a', 'accept-encoding': 'identity' },
    });
    expect([answer?.status, answer?.body]).toEqual([200, null]);
  });

  it('is refused with what the SDK says against the call', async () => {
    await expect(recordHead(() => Promise.reject(new TypeError('no such header')))).rejects.toThrow(
      'no such header',
    );
  });

  it('can not be had from a call that makes no request', async () => {
    await expect(recordHead(() => Promise.resolve())).rejects.toThrow('made no request');
  });

  it('is told to nobody by a call that goes past the recording', async () => {
    await expect(headRecorder('https://nowhere.invalid/')).rejects.toThrow('nobody records');
  });
});
