import { mergeUsage, NO_USAGE, type Usage } from '../interaction/usage';
import type { Frame } from './frame';

/** What the frames of one stream add up to, held frames included: the provider bills them too. */
export type StreamTally = Readonly<{
  usage: Usage;
  outputChars: number;
  finishReason: string | null;
  /** Provider-side tools have started. */
  sideEffects: boolean;
}>;

export const EMPTY_TALLY: StreamTally = {
  usage: NO_USAGE,
  outputChars: 0,
  finishReason: null,
  sideEffects: false,
};

export function tally(before: StreamTally, frames: readonly Frame[]): StreamTally {
  let { usage, outputChars, finishReason, sideEffects } = before;
  for (const frame of frames) {
    if (frame.kind !== 'chunk') continue;
    outputChars += frame.outputChars;
    finishReason = frame.finishReason ?? finishReason;
    sideEffects ||= frame.sideEffects;
    if (frame.usage !== null) usage = mergeUsage(usage, frame.usage);
  }
  return { usage, outputChars, finishReason, sideEffects };
}
