import { AdapterByKind } from '../../../src/infra/provider/adapter-by-kind';
import type { ChatProvider } from '../../../src/usecase/port/chat-provider';
import { aChannel, aRoute } from '../../support/sample-catalog';

const adapter = (): ChatProvider => ({ send: () => Promise.reject(new Error('not asked')) });

describe('adapter by kind', () => {
  it.each(['openai', 'anthropic'] as const)(
    'finds the adapter of the wire that the channel speaks: %s',
    (kind) => {
      const adapters = { openai: adapter(), anthropic: adapter() };
      const route = aRoute({ provider: 'whoever', channel: aChannel({ kind }) });

      expect(new AdapterByKind(adapters).at(route)).toBe(adapters[kind]);
    },
  );
});
