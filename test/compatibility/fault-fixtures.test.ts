import { TOKEN } from '../../src/container/token';
import { InMemoryRouteHealth } from '../../src/infra/health/in-memory-route-health';
import type { RouteHealthStore } from '../../src/usecase/port/route-health';
import { TestGateway, type Json } from '../support/gateway';
import { HAIKU, MINI, only } from '../support/gateway-policy';
import { fixtureEntries, replayed, type FixtureEntry } from './recorded-fixture';

/** Every request meets closed circuits: what the one before it did is another test's business. */
const FORGETFUL: RouteHealthStore = {
  get: (route) => new InMemoryRouteHealth().get(route),
  set: () => undefined,
  all: () => new Map(),
};

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start({
    overrides: (container) => void container.register(TOKEN.health, { useValue: FORGETFUL }),
  });
  const once = { retry: { max_retries: 0 } };
  await gateway.putPolicy(only(MINI, once), 'mini');
  await gateway.putPolicy(only(HAIKU, once), 'haiku');
});
afterAll(() => gateway.stop());

type Wire = 'openai' | 'anthropic';
type Row = Readonly<{
  id: string;
  wire: Wire;
  form: 'whole' | 'streamed';
  fault: string | null;
  entry: FixtureEntry;
}>;

/** Where the ledger says another class than the index, or none: argued in ADR 0011. */
const ARGUED: Readonly<Record<string, string | null>> = {
  'anthropic/messages-json-error-404-not-found-error': 'contract',
  'azure/chat-json-error-404-deployment-not-found': 'contract',
  'groq/chat-json-error-404-model-not-found': 'contract',
  'ollama/error-404-model-not-found': 'contract',
  'ollama/native-error-404-model-not-found': 'contract',
  'openai/chat-json-error-404-model-not-found': 'contract',
  'azure/chat-json-content-filter-finish-reason': null,
  'openai/chat-json-refusal-json-schema': null,
};

const MODELS: Readonly<Record<Wire, string>> = { openai: 'gpt-4o-mini', anthropic: 'claude-haiku-4-5' };

/** Error bodies of sibling APIs come as the same provider's Chat Completions would send them; a proxy stands before both. */
function wiresOf({ wire }: FixtureEntry): readonly Wire[] {
  if (wire === 'any') return ['openai', 'anthropic'];
  return [wire === 'anthropic-messages' ? 'anthropic' : 'openai'];
}

/** A status reaches streaming callers too; what breaks inside a stream is told apart by the commit, which only they have. */
function formsOf({ stream }: FixtureEntry): readonly Row['form'][] {
  return stream ? ['streamed'] : ['whole', 'streamed'];
}

function faultOf({ id, fault }: FixtureEntry): string | null {
  return id in ARGUED ? (ARGUED[id] ?? null) : fault;
}

const rows: readonly Row[] = fixtureEntries()
  .filter(({ fault }) => fault !== null)
  .flatMap((entry) =>
    wiresOf(entry).flatMap((wire) =>
      formsOf(entry).map((form) => ({ id: entry.id, wire, form, fault: faultOf(entry), entry })),
    ),
  );

/** The audit record of one request whose provider answers with the recorded bytes. */
async function recordOf({ wire, form, entry }: Row): Promise<Json> {
  gateway[wire].enqueue(replayed(entry));
  const messages = [{ role: 'user', content: 'Hi' }];
  const answered = await gateway.chat({ model: MODELS[wire], messages, stream: form === 'streamed' });
  return gateway.record(answered.headers.get('x-request-id'));
}

describe('a recorded failure, replayed through the whole gateway', () => {
  it('comes in every form that the index lists', () => {
    expect(rows).toHaveLength(188);
  });

  it.each(rows)('$id is $fault in the ledger ($wire, $form)', async (row) => {
    const record = await recordOf(row);

    expect(record['ledger']).toMatchObject([{ fault: row.fault }]);
  });
});
