import type {
  AnswerBehaviour,
  Behaviour,
  Interruption,
  ScriptedUsage,
} from '../../../src/infra/simulator/behaviour';
import type { ProviderWire } from '../../../src/infra/simulator/wire-format';
import type { Draws } from './draws';
import type { CallerWay } from './mix';

/** What each provider does with the calls of one case, in their order, and with those after them. */
export type Course = Readonly<{
  script: Readonly<Record<ProviderWire, readonly Behaviour[]>>;
  otherwise: Behaviour;
}>;

export type CourseFacts = Readonly<{ model: string; stream: boolean; caller: CallerWay; calm: boolean }>;

/** What happens at the model's own provider, and at the other one. */
type Script = readonly [first: readonly Behaviour[], second: readonly Behaviour[]];
type Breaks = Readonly<{ answer: AnswerBehaviour; draws: Draws; stream: boolean }>;

const DOWN: Behaviour = { kind: 'status', status: 503 };
const LIMITED: Behaviour = { kind: 'status', status: 429, headers: { 'retry-after-ms': '20' } };
const REFUSING: Behaviour = { kind: 'status', status: 400 };
/** Longer than any caller of a mix waits. */
const NEVER_MS = 3_600_000;

/** How often each course is drawn, compared with the others. */
const OFTEN = {
  answers: 62,
  fails_once: 7,
  fails_over: 7,
  fails_everywhere: 2,
  refuses: 4,
  limits: 2,
  breaks_off: 7,
  breaks_off_elsewhere: 3,
  breaks_before_output: 3,
  withholds_usage: 3,
  reads_cache: 4,
} as const;

const SCRIPTS: Readonly<Record<keyof typeof OFTEN, (breaks: Breaks) => Script>> = {
  answers: () => [[], []],
  fails_once: () => [[DOWN], []],
  fails_over: () => [[DOWN, DOWN], []],
  fails_everywhere: () => [
    [DOWN, DOWN],
    [DOWN, DOWN, DOWN],
  ],
  refuses: () => [[REFUSING], []],
  limits: () => [[LIMITED], []],
  breaks_off: (breaks) => [[brokenOff(breaks)], []],
  breaks_off_elsewhere: (breaks) => [[DOWN, DOWN], [brokenOff(breaks)]],
  breaks_before_output: ({ answer, draws }) => [
    [{ ...answer, interruption: { after: 'preamble', by: draws.oneOf(['error', 'close']) } }],
    [],
  ],
  withholds_usage: ({ answer }) => [[{ ...answer, usage: null }], []],
  reads_cache: ({ answer, draws }) => [[{ ...answer, usage: cachedUsage(draws) }], []],
};

export function courseOf(draws: Draws, { model, stream, caller, calm }: CourseFacts): Course {
  const answer = answerOf(draws);
  const drawn = draws.weighted(OFTEN);
  // Where the caller's way is what matters, the provider does nothing else.
  const course = calm || caller.startsWith('leaves') ? 'answers' : drawn;
  const [first, second] =
    caller === 'leaves_waiting'
      ? [[{ ...answer, delayMs: NEVER_MS }], []]
      : SCRIPTS[course]({ answer, draws, stream });
  const script =
    model === 'claude-haiku-4-5'
      ? { anthropic: first, openai: second }
      : { openai: first, anthropic: second };
  return { script, otherwise: answer };
}

const WORDS = ['because', 'the', 'provider', 'says', 'so', 'and', 'nobody', 'knows', 'why'] as const;

function answerOf(draws: Draws): AnswerBehaviour {
  const words = Array.from({ length: draws.between(3, 25) }, () => draws.oneOf(WORDS));
  return { kind: 'answer', text: words.join(' '), chunkDelayMs: draws.between(0, 5) };
}

/** Each part of an input has a price of its own. */
function cachedUsage(draws: Draws): ScriptedUsage {
  const [inputTokens, cacheReadTokens, cacheWriteTokens] = [1, 1, 1].map(() => draws.between(0, 30));
  return { inputTokens, cacheReadTokens, cacheWriteTokens };
}

/** By nothing that may overtake bytes on their way: what went out has come, so it can be counted. */
function brokenOff({ answer, draws, stream }: Breaks): Behaviour {
  // Half a body that ends as if it were whole is no answer of a model, and on no bill.
  const ways: readonly Interruption['by'][] = stream ? ['close', 'error', 'end'] : ['close', 'error'];
  return { ...answer, interruption: { after: draws.between(1, 3), by: draws.oneOf(ways) } };
}
