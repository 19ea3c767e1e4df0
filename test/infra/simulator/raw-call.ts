import { request, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { SimulatedProvider } from '../../../src/infra/simulator/simulated-provider';

export type RawAnswer = Readonly<{
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The code of the socket error that ended the body, if it didn't end by itself. */
  brokenBy: string | undefined;
}>;

const PATHS = { openai: '/chat/completions', anthropic: '/v1/messages' };

const HEADERS = {
  openai: { authorization: 'Bearer sk-test' },
  anthropic: { 'x-api-key': 'sk-test', 'anthropic-version': '2023-06-01' },
};

export type RawCallOptions = Readonly<{
  path?: string;
  method?: string;
  headers?: Readonly<Record<string, string>>;
}>;

/** Opens a call without any SDK in between; the response event comes with the headers. */
export function openCall(
  provider: SimulatedProvider,
  body: unknown,
  options: RawCallOptions = {},
): ClientRequest {
  const call = request(`${provider.baseUrl}${options.path ?? PATHS[provider.wire]}`, {
    method: options.method ?? 'POST',
    headers: { 'content-type': 'application/json', ...(options.headers ?? HEADERS[provider.wire]) },
    agent: false,
  });
  call.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
  return call;
}

export async function headersOf(call: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    call.once('response', resolve);
    call.once('error', reject);
  });
}

/** Reads a call to its end, whatever that end is; a call without headers has status 0. */
export async function rawCall(
  provider: SimulatedProvider,
  body: unknown,
  options: RawCallOptions = {},
): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const call = openCall(provider, body, options);
    let hasHeaders = false;
    call.once('error', (error: NodeJS.ErrnoException) => {
      // Node reports a broken body on the request first; the response, with what was read, follows.
      if (!hasHeaders) resolve({ status: 0, headers: {}, text: '', brokenBy: error.code });
    });
    call.once('response', (response) => {
      hasHeaders = true;
      const chunks: Buffer[] = [];
      const finish = (brokenBy: string | undefined): void =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString('utf8'),
          brokenBy,
        });
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () => finish(undefined));
      response.once('error', (error: NodeJS.ErrnoException) => finish(error.code));
    });
  });
}

export function errorOf(answer: RawAnswer): Record<string, unknown> {
  return (JSON.parse(answer.text) as { error: Record<string, unknown> }).error;
}
