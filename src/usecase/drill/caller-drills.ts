import type {
  CallerRequest,
  Performance,
  ProviderAct,
  RehearsalStage,
  Setting,
} from '../port/rehearsal-stage';
import type { Ask } from './barrier';
import { leftOut, rehearsed, type Rehearsal, type Scene } from './drill';
import type { Expectation } from './expectation';
import { unequal } from './judge';
import { alsoDiffering, courseOf, firstRung, judged, perform, playScene, STREAMED, WHOLE } from './scene';
import { at } from './script';

/** At once (the product promises 100 ms), with room for a machine that is busy with something else. */
const AT_ONCE_MS = 1_000;
const NOTHING_TO_ASK = 'the tenant’s rules leave no route for such a request';

export function cancelBeforeHeaders(setting: Setting, stage: RehearsalStage): Promise<Rehearsal> {
  const act: ProviderAct = { kind: 'holds', at: 'before_headers' };
  return cancelled(setting, stage, { ask: WHOLE, act, leaves: 'before_headers' });
}

export function cancelMidStream(setting: Setting, stage: RehearsalStage): Promise<Rehearsal> {
  const act: ProviderAct = { kind: 'holds', at: 'after_first_output' };
  return cancelled(setting, stage, { ask: STREAMED, act, leaves: 'mid_stream' });
}

type Cancelling = Readonly<{ ask: Ask; act: ProviderAct; leaves: NonNullable<CallerRequest['leaves']> }>;

/** The caller hangs up while a provider works: that call is closed, no other one is made, the record says so. */
async function cancelled(
  setting: Setting,
  stage: RehearsalStage,
  { ask, act, leaves }: Cancelling,
): Promise<Rehearsal> {
  const first = firstRung(setting, ask);
  if (first === null) return leftOut(NOTHING_TO_ASK);
  const scene = await playScene(setting, stage, { ask, script: at(first, act), leaves });
  return rehearsed(alsoDiffering(scene, unclosed(scene.seen)));
}

function unclosed({ calls }: Performance): readonly string[] {
  return calls.flatMap(({ channel, ended, endedAfterLeavingMs }) => [
    ...unequal(`the call at channel ${channel} was ended`, 'by_gateway', ended),
    ...((endedAfterLeavingMs ?? 0) <= AT_ONCE_MS
      ? []
      : [`the call at channel ${channel}: closed ${endedAfterLeavingMs} ms after the caller had left`]),
  ]);
}

/** The caller hangs up while the gateway waits for a retry: the retry is never made. */
export async function cancelInBackoff(setting: Setting, stage: RehearsalStage): Promise<Rehearsal> {
  const first = firstRung(setting, WHOLE);
  if (first === null) return leftOut(NOTHING_TO_ASK);
  const play = { ask: WHOLE, script: at(first, { kind: 'is_down' }), leaves: 'in_backoff' } as const;
  const [initial, second] = courseOf(setting, play).attempts;
  if (initial === undefined || second?.action !== 'retry') {
    return leftOut('the policy allows no retry before a fallback, so it never waits');
  }
  const seen = await perform(setting, stage, play);
  const expected: Expectation = { ...NO_ANSWER, state: 'cancelled', attempts: [initial] };
  return rehearsed(judged(expected, seen, setting));
}

const NO_ANSWER = {
  status: null,
  code: null,
  served: null,
  fallbackReason: null,
  model: null,
  stream: 'none',
} as const;

/** What is no chat request is refused before anything is sent, recorded or paid. */
export async function malformedRequest(setting: Setting, stage: RehearsalStage): Promise<Rehearsal> {
  const halfADocument = `{"model": ${JSON.stringify(setting.requestedModel)}, "messages": [`;
  const noMessages = { model: setting.requestedModel, messages: 'no list' };
  const scenes: Scene[] = [];
  for (const body of [halfADocument, noMessages]) {
    await stage.ready(setting);
    const seen = await stage.perform({ body });
    const expected: Expectation = {
      ...NO_ANSWER,
      status: 400,
      code: 'invalid_request_error',
      state: null,
      attempts: [],
    };
    scenes.push(judged(expected, seen, setting));
  }
  return rehearsed(...scenes);
}
