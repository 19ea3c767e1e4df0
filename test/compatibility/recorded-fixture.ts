import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cutBytes, type RawBehaviour } from '../../src/infra/simulator/behaviour';

const FIXTURES = join(__dirname, '../fixtures');
const ANSWERS = join(__dirname, 'recorded-answers');

/** A row of `test/fixtures/index.json`. */
export type FixtureEntry = Readonly<{
  id: string;
  wire: string;
  stream: boolean;
  status: number | null;
  /** The fault class that FAILURES gives it; null: it is an answer. */
  fault: string | null;
  tags: readonly string[];
}>;

/** What a recorded answer says, written down by reading its bytes. */
export type RecordedAnswer = Readonly<{
  fixture: string;
  choices: readonly RecordedChoice[];
  /** As the official client sees it; null: the provider reported none. */
  usage: RecordedUsage | null;
  /** What the ledger holds where it isn't the same (WIRE §11 rule 7; impossible values are null). */
  billed?: BilledUsage;
}>;

export type RecordedChoice = Readonly<{
  text: string;
  refusal?: string;
  reasoning?: string;
  /** An id of null: the provider sent none, so the gateway mints one. */
  toolCalls?: readonly Readonly<{ id: string | null; name: string; arguments: string }>[];
  functionCall?: Readonly<{ name: string; arguments: string }>;
  finishReason: string;
}>;

type RecordedUsage = Readonly<
  Record<'prompt' | 'completion' | 'total' | 'cached' | 'reasoning', number | null>
>;
export type BilledUsage = Readonly<Record<'input' | 'output' | 'cached' | 'reasoning', number | null>>;

export function fixtureEntries(): readonly FixtureEntry[] {
  return JSON.parse(readFileSync(join(FIXTURES, 'index.json'), 'utf8')) as FixtureEntry[];
}

export function fixtureEntry(id: string): FixtureEntry {
  const found = fixtureEntries().find((entry) => entry.id === id);
  if (found === undefined) throw new Error(`there is no fixture ${id}`);
  return found;
}

export function recordedAnswers(): readonly RecordedAnswer[] {
  return readdirSync(ANSWERS).flatMap(
    (file) => JSON.parse(readFileSync(join(ANSWERS, file), 'utf8')) as RecordedAnswer[],
  );
}

type Recording = Readonly<{
  request?: Readonly<{ body?: Record<string, unknown> }>;
  response?: Readonly<{
    status: number | null;
    headers?: Record<string, string>;
    body?: unknown;
    body_file?: string;
  }>;
}>;

export type Recorded = Readonly<{
  status: number;
  headers: Record<string, string>;
  bytes: Buffer;
}>;

/** The server frames and dates its answer by itself. */
const FRAMING: readonly string[] = [
  'transfer-encoding',
  'content-length',
  'connection',
  'content-encoding',
  'date',
];

/** A recorded response as it came over the wire. */
export function recorded({ id, status: indexed }: FixtureEntry): Recorded {
  const response = recordingOf(id).response ?? { status: null };
  const { body, body_file: file } = response;
  const bytes =
    file === undefined
      ? Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
      : readFileSync(join(FIXTURES, id, '..', file));
  const headers = Object.entries(response.headers ?? {}).filter(
    ([name]) => !FRAMING.includes(name.toLowerCase()),
  );
  return {
    status: response.status ?? indexed ?? 200,
    headers: Object.fromEntries(headers),
    bytes,
  };
}

/** The body of a recorded request; undefined where the source has none. */
export function recordedRequest(id: string): Record<string, unknown> | undefined {
  return recordingOf(id).request?.body;
}

/** A simulated provider's behaviour: the recorded bytes to the letter, cut at the offsets. */
export function replayed(entry: FixtureEntry, ...offsets: readonly number[]): RawBehaviour {
  const { status, headers, bytes } = recorded(entry);
  return { kind: 'raw', status, headers, pieces: cutBytes(bytes, ...offsets) };
}

function recordingOf(id: string): Recording {
  return JSON.parse(readFileSync(join(FIXTURES, `${id}.json`), 'utf8')) as Recording;
}
