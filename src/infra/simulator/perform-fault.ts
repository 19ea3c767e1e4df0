import type { ExtraHeaders, GarbageBehaviour, GarbageForm, RawBehaviour, StatusBehaviour } from './behaviour';
import type { CallContext } from './call-context';
import type { JsonObject } from './json-value';
import type { Reply } from './reply';
import type { ProviderFault } from './wire-format';

/** The parts of a call that even a call without a readable prompt has. */
type FaultContext = Pick<CallContext, 'wire' | 'identity' | 'reply'>;

/** Sends the error that this provider really sends with a status: its own JSON, or the page of the CDN before it. */
export function sendFault(status: number, headers: ExtraHeaders, call: FaultContext): void {
  const fault = call.wire.statusFault(status);
  if (fault) return sendProviderFault(fault, headers, call);
  const page = `<html>\r\n<head><title>${status}</title></head>\r\n<body>\r\n<center><h1>${status}</h1></center>\r\n<hr><center>cloudflare</center>\r\n</body>\r\n</html>\r\n`;
  call.reply.head(status, { 'content-type': 'text/html', server: 'cloudflare', ...headers });
  call.reply.end(page);
}

export function sendProviderFault(fault: ProviderFault, headers: ExtraHeaders, call: FaultContext): void {
  sendJson(fault.status, call.wire.errorBody(fault, call.identity), headers, call);
}

export function sendJson(status: number, body: JsonObject, headers: ExtraHeaders, call: FaultContext): void {
  call.reply.head(status, {
    'content-type': 'application/json',
    ...call.wire.headers(call.identity, status),
    ...headers,
  });
  call.reply.end(JSON.stringify(body));
}

export async function performStatus(behaviour: StatusBehaviour, call: CallContext): Promise<void> {
  const { status, body, headers = {} } = behaviour;
  await call.reply.pause(behaviour.delayMs ?? 0);
  if (behaviour.holdAt === 'before_headers') await call.reply.waitFor(call.released);
  if (body === undefined) return sendFault(status, headers, call);
  const contentType = typeof body === 'string' ? 'text/html' : 'application/json';
  call.reply.head(status, {
    'content-type': contentType,
    ...call.wire.headers(call.identity, status),
    ...headers,
  });
  call.reply.end(typeof body === 'string' ? body : JSON.stringify(body));
}

const GARBAGE: Readonly<Record<GarbageForm, Readonly<{ contentType: string; body: string }>>> = {
  html: {
    contentType: 'text/html',
    body: '<!doctype html><html><body><h1>Welcome to nginx!</h1></body></html>',
  },
  half_json: {
    contentType: 'application/json',
    body: '{"id":"half","object":"chat.completion","choices":[{"index":0,"mess',
  },
  non_json_event: {
    contentType: 'text/event-stream',
    body: 'data: upstream connect error or disconnect\n\n',
  },
  empty: { contentType: 'application/json', body: '' },
  comments_only: { contentType: 'text/event-stream', body: ': waiting\n\n: still waiting\n\n' },
  done_only: { contentType: 'text/event-stream', body: 'data: [DONE]\n\n' },
};

export async function performGarbage(
  { form, delayMs = 0 }: GarbageBehaviour,
  call: CallContext,
): Promise<void> {
  await call.reply.pause(delayMs);
  const { contentType, body } = GARBAGE[form];
  call.reply.head(200, { 'content-type': contentType, ...call.wire.headers(call.identity, 200) });
  call.reply.end(body);
}

export async function performRaw(behaviour: RawBehaviour, { reply, prompt }: CallContext): Promise<void> {
  const { status = 200, headers, pieces } = behaviour;
  const contentType =
    prompt.delivery === 'stream' && status === 200 ? 'text/event-stream' : 'application/json';
  await reply.pause(behaviour.delayMs ?? 0);
  reply.head(status, { 'content-type': contentType, ...headers });
  for (const piece of pieces) {
    await reply.write(typeof piece === 'string' ? piece : Buffer.from(piece.base64, 'base64'));
    await reply.pause(behaviour.pauseMs ?? 0);
  }
  await finish(behaviour.then ?? 'end', reply);
}

async function finish(how: NonNullable<RawBehaviour['then']>, reply: Reply): Promise<void> {
  switch (how) {
    case 'end':
      return reply.end();
    case 'reset':
      return reply.reset();
    case 'close':
      return reply.close();
    case 'stall':
      return reply.closed();
  }
}
