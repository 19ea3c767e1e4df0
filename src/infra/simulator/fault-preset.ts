import type { Behaviour } from './behaviour';

export type FaultPresetName =
  | 'healthy'
  | 'down'
  | 'rate_limited'
  | 'overloaded'
  | 'hang'
  | 'cut_stream'
  | 'error_after_preamble'
  | 'garbage'
  | 'bad_key';

/** The switch of the sandbox: what can be wrong with a provider, under a name that a newcomer understands. */
export const FAULT_PRESETS: Readonly<Record<FaultPresetName, Behaviour>> = {
  healthy: { kind: 'answer' },
  down: { kind: 'status', status: 503 },
  rate_limited: { kind: 'status', status: 429, headers: { 'retry-after': '2' } },
  overloaded: { kind: 'status', status: 529 },
  hang: { kind: 'hang' },
  cut_stream: { kind: 'answer', interruption: { after: 3, by: 'close' } },
  error_after_preamble: { kind: 'answer', interruption: { after: 'preamble', by: 'error' } },
  garbage: { kind: 'garbage', form: 'html' },
  bad_key: { kind: 'status', status: 401 },
};

/** One line each, for the console and for `GET` on the switch. */
export const FAULT_DESCRIPTIONS: Readonly<Record<FaultPresetName, string>> = {
  healthy: 'Answers every call.',
  down: 'Answers 503 to every call.',
  rate_limited: 'Answers 429 and asks to wait two seconds.',
  overloaded: 'Answers 529, the status of an overloaded provider.',
  hang: 'Accepts the call and never answers.',
  cut_stream: 'Closes the connection after three output chunks (whole answers: in the middle of the body).',
  error_after_preamble: 'Begins a stream harmlessly, then reports an error before any output.',
  garbage: 'Answers 200 with an HTML page.',
  bad_key: 'Refuses our key with 401.',
};

/** The behaviour under a name that came from outside, or undefined for a name that isn't in the table. */
export function faultPreset(name: string): Behaviour | undefined {
  return Object.hasOwn(FAULT_PRESETS, name) ? FAULT_PRESETS[name as FaultPresetName] : undefined;
}
