/** Where a request goes, and with which headers. */
export type RequestHead = Readonly<{
  method: 'GET' | 'POST';
  origin: string;
  path: string;
  headers: Readonly<Record<string, string>>;
}>;

/** What a call of an SDK must pass on, so that `headRecorder` knows whom to tell. */
export type RecordingOptions = Readonly<{ fetchOptions: object }>;

type RecordingInit = RequestInit & Readonly<{ tell?: (head: RequestHead) => void }>;

/** Nobody reads it, so one serves all calls. */
const ANSWERED = new Response(null, { status: 200 });

/** The `fetch` that both SDKs are given: it sends nothing, and tells what they would send. */
export function headRecorder(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const { tell, method, headers } = (init ?? {}) as RecordingInit;
  if (tell === undefined) return Promise.reject(new Error('a call of an SDK that nobody records'));
  const { origin, pathname, search } = new URL(input instanceof Request ? input.url : input);
  tell({
    method: method?.toUpperCase() === 'GET' ? 'GET' : 'POST',
    origin,
    path: pathname + search,
    // undici's dispatcher does not decompress.
    headers: { ...Object.fromEntries(new Headers(headers)), 'accept-encoding': 'identity' },
  });
  return Promise.resolve(ANSWERED);
}

/** Lets an SDK make a call as it would, and returns the head of its request. Rejects with what the SDK says against it. */
export async function recordHead(
  call: (options: RecordingOptions) => Promise<unknown>,
): Promise<RequestHead> {
  let recorded: RequestHead | null = null;
  const tell = (head: RequestHead): void => void (recorded = head);
  await call({ fetchOptions: { tell } });
  if (recorded === null) throw new Error('the SDK made no request');
  return recorded;
}
