import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { anthropicWire } from './anthropic/anthropic-wire';
import type { Behaviour } from './behaviour';
import { BehaviourQueue } from './behaviour-queue';
import { CallLog, type ReceivedCall } from './call-log';
import { totalOf, type Charge, type Charges } from './charge';
import { openAiWire } from './openai/openai-wire';
import { readBody } from './request-body';
import { serveCall, type CallScript, type ProviderProfile } from './serve-call';
import type { ProviderWire, WireFormat } from './wire-format';

const WIRES: Readonly<Record<ProviderWire, WireFormat>> = { openai: openAiWire, anthropic: anthropicWire };

export interface SimulatedProviderOptions {
  readonly wire: ProviderWire;
  /** Speaks in made-up answers and marks ids, so that two providers can be told apart. */
  readonly name: string;
  /** 0, the default, takes a free one. */
  readonly port?: number;
  readonly host?: '127.0.0.1';
  /** Without it any key will do; a call without a key is refused either way, as by the real provider. */
  readonly apiKey?: string;
  /** Distinguishes the ids of two servers of one name. */
  readonly seed?: number;
  /** Wait before each output chunk of a stream. */
  readonly chunkDelayMs?: number;
  /** The served models; set, any other one gets the provider's 404. */
  readonly models?: readonly string[];
  /** Whether the models take `system` turns inside `messages` (Anthropic wire; default allowed). */
  readonly systemTurns?: 'allowed' | 'refused';
  /** Says what happens to each chat call, in place of the behaviours that were set. */
  readonly script?: CallScript;
}

/**
 * A provider on loopback that speaks the real wire and fails on command. One server is one account: it has its calls,
 * its charges, and one behaviour at a time.
 */
export class SimulatedProvider {
  private readonly log = new CallLog();
  private readonly behaviours = new BehaviourQueue();
  private readonly sockets = new Set<Socket>();
  private billed: Charge[] = [];
  private serial = 0;

  private constructor(
    private readonly profile: ProviderProfile,
    private readonly server: Server,
    private readonly origin: string,
  ) {
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('close', () => this.sockets.delete(socket));
    });
    server.on('request', (request, response) => void this.handle(request, response));
  }

  /** Listens on loopback only, and resolves when it does. */
  static async start(options: SimulatedProviderOptions): Promise<SimulatedProvider> {
    const server = createServer();
    const host = options.host ?? '127.0.0.1';
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options.port ?? 0, host, resolve);
    });
    const { port } = server.address() as AddressInfo;
    const profile: ProviderProfile = {
      name: options.name,
      wireName: options.wire,
      wire: WIRES[options.wire],
      apiKey: options.apiKey,
      seed: options.seed ?? 0,
      chunkDelayMs: options.chunkDelayMs ?? 0,
      models: options.models,
      rules: { systemTurns: options.systemTurns ?? 'allowed' },
      script: options.script,
    };
    return new SimulatedProvider(profile, server, `http://${host}:${port}`);
  }

  /** What the SDK of this wire wants as its base URL. */
  get baseUrl(): string {
    return `${this.origin}${this.profile.wire.basePath}`;
  }

  get wire(): ProviderWire {
    return this.profile.wireName;
  }

  get name(): string {
    return this.profile.name;
  }

  /** The standing behaviour, as it was set. */
  get behaviour(): Behaviour {
    return this.behaviours.current;
  }

  /** For every call until changed; calls that run already keep theirs. Faults hit the model list as well. */
  setBehaviour(behaviour: Behaviour): void {
    this.behaviours.stand(behaviour);
  }

  /** For the next chat calls, one each, before the standing behaviour is back. */
  enqueue(...behaviours: readonly Behaviour[]): void {
    this.behaviours.enqueue(behaviours);
  }

  /** Lets every call that has arrived pass its `holdAt`; calls that arrive later are held again. */
  release(): void {
    this.behaviours.release();
  }

  /** Every call since the start or the last reset, in order of arrival, refused ones included. */
  get received(): readonly ReceivedCall[] {
    return this.log.calls;
  }

  /** Sockets, idle keep-alive ones included. */
  get openConnections(): number {
    return this.sockets.size;
  }

  /** What this provider would put on the invoice. */
  get charges(): Charges {
    return totalOf(this.billed);
  }

  /** Resolves with the first `count` calls as soon as that many have arrived. */
  async waitForCalls(count: number): Promise<readonly ReceivedCall[]> {
    await this.log.until(() => this.received.length >= count);
    return this.received.slice(0, count);
  }

  /** Resolves when the response of a call is finished or its socket closed, and says by whom. */
  async waitForClose(callIndex: number): Promise<ReceivedCall> {
    return this.waitForCall(callIndex, (call) => call.state !== 'open');
  }

  /** Resolves when a write of this call has found the socket full, because its reader doesn't read. */
  async waitForFullSocket(callIndex: number): Promise<ReceivedCall> {
    return this.waitForCall(callIndex, (call) => call.fullWrites > 0);
  }

  /** Resolves when at least so many body bytes of this call were handed to the socket. */
  async waitForBytes(callIndex: number, byteCount: number): Promise<ReceivedCall> {
    return this.waitForCall(callIndex, (call) => call.bytesWritten >= byteCount);
  }

  /** Resolves when so many calls were billed; a broken stream is billed a moment after its socket has closed. */
  async waitForCharges(count: number): Promise<Charges> {
    await this.log.until(() => this.billed.length >= count);
    return this.charges;
  }

  /** Forgets calls, charges and behaviours, and releases what is held; open calls run on, unlisted. Ids don't start over. */
  reset(): void {
    this.behaviours.reset();
    this.log.clear();
    this.billed = [];
  }

  /** Closes every socket, running answers included. */
  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.log.closeAll();
    this.sockets.forEach((socket) => socket.destroy());
    await closed;
  }

  private async waitForCall(index: number, isThere: (call: ReceivedCall) => boolean): Promise<ReceivedCall> {
    let found: ReceivedCall | undefined;
    await this.log.until(() => {
      const call = this.received[index];
      if (call && isThere(call)) found = call;
      return found !== undefined;
    });
    return found as ReceivedCall;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    if (body.kind === 'aborted') return;
    this.serial += 1;
    // A reset starts a new list, so that calls from before it are billed nowhere.
    const { profile, serial, log, behaviours, billed } = this;
    const bill = (charge: Charge): void => {
      billed.push(charge);
      log.notify();
    };
    try {
      await serveCall({ profile, serial, request, bodyText: body.text, response, log, behaviours, bill });
    } catch (error) {
      failLoudly(response, error);
    }
  }
}

/** A behaviour that can't be performed (an impossible header, say) is the author's mistake: told to the caller, fatal to nobody. */
function failLoudly(response: ServerResponse, error: unknown): void {
  if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
  response.end(`The simulated provider could not do this: ${String(error)}`);
}
