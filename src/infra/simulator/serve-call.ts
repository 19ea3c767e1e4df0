import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Behaviour } from './behaviour';
import type { BehaviourQueue } from './behaviour-queue';
import type { CallLog, CallRecord, ReceivedCall } from './call-log';
import type { Charge } from './charge';
import { asObject, asText, parseJson, type JsonObject } from './json-value';
import { performBehaviour, readsRequest } from './perform-behaviour';
import { sendJson, sendProviderFault } from './perform-fault';
import { Reply } from './reply';
import type { CallIdentity, ProviderFault, ProviderWire, RequestRules, WireFormat } from './wire-format';

const NO_JSON_OBJECT = 'We could not parse the JSON body of your request. The API expects a JSON payload.';

/** What a server was started with. */
export type ProviderProfile = Readonly<{
  name: string;
  wireName: ProviderWire;
  wire: WireFormat;
  apiKey: string | undefined;
  seed: number;
  chunkDelayMs: number;
  models: readonly string[] | undefined;
  rules: RequestRules;
  script: CallScript | undefined;
}>;

/** Chooses by what is asked, so that concurrent calls get what is meant for them, whichever comes first. */
export type CallScript = (call: ReceivedCall) => Behaviour;

export type ServedCall = Readonly<{
  profile: ProviderProfile;
  /** Number of the call on this server, from 1: what its ids are made of. */
  serial: number;
  request: IncomingMessage;
  bodyText: string;
  response: ServerResponse;
  log: CallLog;
  behaviours: BehaviourQueue;
  bill: (charge: Charge) => void;
}>;

/** One call from its arrival to its last byte: recorded, judged like the real provider would, then treated as told. */
export async function serveCall(served: ServedCall): Promise<void> {
  const { profile, behaviours } = served;
  const { wire } = profile;
  const identity = identify(served);
  const record = recordOf(served, identity);
  const reply = new Reply(served.response, record, served.log);
  const endpoint = endpointOf(record, wire);
  const behaviour =
    endpoint === 'chat' ? (profile.script?.(record) ?? behaviours.next()) : behaviours.current;

  const fault = faultOf(endpoint, behaviour, record, served);
  if (fault) return sendProviderFault(fault, {}, { wire, identity, reply });
  if (endpoint === 'models' && behaviour.kind === 'answer') {
    return sendJson(200, wire.modelList(profile.models ?? wire.defaultModels), {}, { wire, identity, reply });
  }
  await perform(behaviour, asObject(record.body) ?? {}, { served, identity, reply, callIndex: record.index });
}

type Endpoint = 'chat' | 'models' | 'unknown';

function recordOf({ request, bodyText, log }: ServedCall, identity: CallIdentity): CallRecord {
  return log.add({
    method: request.method ?? '',
    path: request.url ?? '/',
    headers: request.headers,
    bodyText,
    body: parseJson(bodyText),
    atMs: identity.startedAtMs,
    requestId: identity.requestId,
  });
}

function faultOf(
  endpoint: Endpoint,
  behaviour: Behaviour,
  call: ReceivedCall,
  { profile }: ServedCall,
): ProviderFault | undefined {
  if (endpoint === 'unknown') return profile.wire.urlFault(call.method, call.path);
  if (!readsRequest(behaviour)) return undefined;
  const credentialFault = profile.wire.credentialFault(call.headers, profile.apiKey);
  return credentialFault ?? (endpoint === 'chat' ? bodyFault(call, profile) : undefined);
}

function bodyFault(call: ReceivedCall, { wire, models, rules }: ProviderProfile): ProviderFault | undefined {
  const body = asObject(call.body);
  if (!body) return { status: 400, type: 'invalid_request_error', message: NO_JSON_OBJECT };
  const fault = wire.requestFault(body, call.headers, rules);
  if (fault || !models) return fault;
  const model = asText(body.model) ?? '';
  return models.includes(model) ? undefined : wire.modelFault(model);
}

function endpointOf({ method, path }: ReceivedCall, wire: WireFormat): Endpoint {
  const [pathname] = path.split('?');
  if (method === 'POST' && pathname === wire.chatPath) return 'chat';
  return method === 'GET' && pathname === wire.modelsPath ? 'models' : 'unknown';
}

type Performance = Readonly<{ served: ServedCall; identity: CallIdentity; reply: Reply; callIndex: number }>;

async function perform(behaviour: Behaviour, body: JsonObject, call: Performance): Promise<void> {
  const { served, identity, reply, callIndex } = call;
  const { profile, behaviours, bill } = served;
  await performBehaviour(behaviour, {
    wire: profile.wire,
    identity,
    reply,
    prompt: profile.wire.readPrompt(body),
    speaker: profile.name,
    chunkDelayMs: profile.chunkDelayMs,
    // Taken now and not at the hold: a release right after the arrival must not be missed.
    released: behaviours.released(),
    bill: (charge) => bill({ callIndex, ...charge }),
  });
}

function identify({ profile, serial }: ServedCall): CallIdentity {
  const { wire, name, seed } = profile;
  const tag = `${name.replace(/[^a-zA-Z0-9]/g, '').slice(0, 12)}${seed}x${String(serial).padStart(6, '0')}`;
  return {
    requestId: `req_${tag}`,
    answerId: `${wire.answerIdPrefix}${tag}`,
    toolCallPrefix: `${wire.toolCallIdPrefix}${tag}x`,
    startedAtMs: Date.now(),
  };
}
