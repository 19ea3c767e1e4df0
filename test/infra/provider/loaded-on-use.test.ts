import { ModelListerLoadedOnUse, ProviderLoadedOnUse } from '../../../src/infra/provider/loaded-on-use';
import type { ProviderCall, ProviderReply } from '../../../src/usecase/port/chat-provider';

const REPLY: ProviderReply = {
  kind: 'failed',
  head: null,
  signal: { kind: 'truncated' },
  ignoredParams: [],
};

describe('an adapter that is loaded on use', () => {
  it('is loaded once, by its first call', async () => {
    let loads = 0;
    const provider = new ProviderLoadedOnUse(async () => {
      loads += 1;
      return { send: async () => REPLY };
    });

    expect(loads).toBe(0);
    const call = {} as ProviderCall;
    expect(await Promise.all([provider.send(call), provider.send(call)])).toEqual([REPLY, REPLY]);
    expect(loads).toBe(1);
  });

  it('lists models as its lister does', async () => {
    const lister = new ModelListerLoadedOnUse(async () => ({ listModels: async () => REPLY.signal }));

    expect(await lister.listModels({} as never, new AbortController().signal)).toEqual({ kind: 'truncated' });
  });
});
