import type { RehearsalStage, Setting } from '../port/rehearsal-stage';
import { leftOut, rehearsed, type Rehearsal } from './drill';
import { unequal } from './judge';
import { ladderOf } from './ladder';
import { alsoDiffering, firstRung, playScene, STREAMED, WHOLE } from './scene';
import { at, atPrimary, everywhere } from './script';

const NOTHING_TO_ASK = 'the tenant’s rules leave no route for such a request';
/** Beyond every deadline. */
const MUCH_LONGER_SECONDS = 60;

/** 503 before any header: retries as allowed, then the fallback if there is an opt-in, else the error. */
export async function primaryDown(setting: Setting, stage: RehearsalStage): Promise<Rehearsal> {
  const script = atPrimary(ladderOf(setting, WHOLE), { kind: 'is_down' });
  return rehearsed(await playScene(setting, stage, { ask: WHOLE, script }));
}

/** Nothing answers: an error of ours with every attempt in it, and no more attempts than allowed. */
export async function allRoutesExhausted(setting: Setting, stage: RehearsalStage): Promise<Rehearsal> {
  const script = everywhere(ladderOf(setting, WHOLE), { kind: 'is_down' });
  return rehearsed(await playScene(setting, stage, { ask: WHOLE, script }));
}

/** 429 with a wait that fits the deadline: it is obeyed to the millisecond. */
export async function rateLimitFits(setting: Setting, stage: RehearsalStage): Promise<Rehearsal> {
  const first = firstRung(setting, WHOLE);
  if (first === null) return leftOut(NOTHING_TO_ASK);
  const { timeouts, minAttemptMs } = setting.policy.policy.settings;
  const roomMs = Math.min(timeouts.deadlineMs, setting.maxDeadlineMs) - minAttemptMs;
  // A second of room, so that a slow machine doesn't decide.
  const retryAfterSeconds = [2, 1].find((seconds) => (seconds + 1) * 1_000 <= roomMs);
  if (retryAfterSeconds === undefined) return leftOut('its deadline is shorter than the shortest wait');
  const script = at(first, { kind: 'rate_limits', retryAfterSeconds }, { kind: 'answers' });
  return rehearsed(await playScene(setting, stage, { ask: WHOLE, script }));
}

/** 429 with a wait that the deadline has no room for: the route ends at once. */
export async function rateLimitTooLong(setting: Setting, stage: RehearsalStage): Promise<Rehearsal> {
  const { deadlineMs } = setting.policy.policy.settings.timeouts;
  const retryAfterSeconds = Math.ceil(deadlineMs / 1_000) + MUCH_LONGER_SECONDS;
  const script = atPrimary(ladderOf(setting, WHOLE), { kind: 'rate_limits', retryAfterSeconds });
  const scene = await playScene(setting, stage, { ask: WHOLE, script });
  if (scene.expected.status !== 429) return rehearsed(scene);
  const told = Number(scene.seen.answer?.headers['retry-after'] ?? NaN);
  // What is left of the wait when the answer is written is told, rounded up.
  const honest = told <= retryAfterSeconds && told >= retryAfterSeconds - 5;
  return rehearsed(
    alsoDiffering(scene, honest ? [] : unequal('Retry-After, seconds', retryAfterSeconds, told)),
  );
}

/** The stream breaks after output: partial, an error event, no `[DONE]`, nobody else asked; unless the answer was held. */
export async function streamCut(setting: Setting, stage: RehearsalStage): Promise<Rehearsal> {
  const first = firstRung(setting, STREAMED);
  if (first === null) return leftOut(NOTHING_TO_ASK);
  const script = at(first, { kind: 'breaks_off' }, { kind: 'answers' });
  return rehearsed(await playScene(setting, stage, { ask: STREAMED, script }));
}

/** The provider says that the request is wrong: its answer is passed on, and nobody is asked again. */
export async function requestRefused(setting: Setting, stage: RehearsalStage): Promise<Rehearsal> {
  const first = firstRung(setting, WHOLE);
  if (first === null) return leftOut(NOTHING_TO_ASK);
  const script = at(first, { kind: 'refuses_request' });
  return rehearsed(await playScene(setting, stage, { ask: WHOLE, script }));
}
