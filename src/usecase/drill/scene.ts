import type { JsonObject } from '../../domain/kernel/json';
import type { CallerRequest, Performance, RehearsalStage, Setting } from '../port/rehearsal-stage';
import type { Ask } from './barrier';
import { CourseWalk, type Course, type Script } from './course';
import type { Scene } from './drill';
import { expectationOf, type Expectation } from './expectation';
import { differences } from './judge';
import { ladderOf, type Rung } from './ladder';
import { recordOf } from './seen';

/** One request, and what its providers do with it. */
export type Play = Readonly<{
  ask: Ask;
  script: Script;
  /** Absent: a short question. */
  body?: JsonObject;
  leaves?: CallerRequest['leaves'];
}>;

export const WHOLE: Ask = { stream: false, tools: false };
export const STREAMED: Ask = { stream: true, tools: false };

/** Plays one request and judges it by what the specification says of such a course. */
export async function playScene(setting: Setting, stage: RehearsalStage, play: Play): Promise<Scene> {
  const seen = await perform(setting, stage, play);
  const ladder = ladderOf(setting, play.ask);
  const course = courseOf(setting, play, drawnWaits(seen));
  return judged(expectationOf(course, { setting, ladder, stream: play.ask.stream }), seen, setting);
}

/** Sets the scene and plays it, for a drill that knows better what to expect. */
export async function perform(setting: Setting, stage: RehearsalStage, play: Play): Promise<Performance> {
  await stage.ready(setting);
  for (const [channel, acts] of play.script) stage.direct(channel, acts);
  const { body = questionOf(setting, play.ask), leaves } = play;
  return stage.perform(leaves === undefined ? { body } : { body, leaves });
}

export function judged(expected: Expectation, seen: Performance, setting: Setting): Scene {
  return { expected, seen, differences: differences(expected, seen, setting) };
}

/** A scene with differences that only its drill can see. */
export function alsoDiffering(scene: Scene, more: readonly string[]): Scene {
  return { ...scene, differences: [...scene.differences, ...more] };
}

/** What will happen by the specification; waits that weren't drawn yet count as the longest possible. */
export function courseOf(
  setting: Setting,
  { ask, script }: Pick<Play, 'ask' | 'script'>,
  drawn: readonly (number | null)[] = [],
): Course {
  const { settings } = setting.policy.policy;
  const deadlineMs = Math.min(settings.timeouts.deadlineMs, setting.maxDeadlineMs);
  const ladder = ladderOf(setting, ask);
  return new CourseWalk({ ladder, script, settings, deadlineMs, drawn }).walk();
}

/** The rung on which a request begins; null: nothing may be asked. */
export function firstRung(setting: Setting, ask: Ask): Rung | null {
  return ladderOf(setting, ask).find(({ barrier }) => barrier === null) ?? null;
}

export function questionOf({ requestedModel }: Setting, { stream }: Ask): JsonObject {
  const messages = [{ role: 'user', content: 'How deep is the snow at the station?' }];
  return { model: requestedModel, messages, ...(stream ? { stream } : {}) };
}

function drawnWaits(seen: Performance): readonly (number | null)[] {
  return (recordOf(seen)?.ledger ?? []).map(({ action, backoffMs }) =>
    action === 'retry' ? backoffMs : null,
  );
}
