import type { IncomingHttpHeaders } from 'node:http';
import type { JsonValue } from './json-value';

/** `finished`: our response is complete. `closed_by_peer`: the caller left first. `closed_by_provider`: a fault of ours. */
export type CallState = 'open' | 'finished' | 'closed_by_peer' | 'closed_by_provider';

/** One call as the provider saw it. The last four members are live: they follow the socket. */
export interface ReceivedCall {
  readonly index: number;
  readonly method: string;
  /** With the query string. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bodyText: string;
  /** Undefined if the body isn't JSON. */
  readonly body: JsonValue | undefined;
  readonly atMs: number;
  /** As sent in `x-request-id` or `request-id`. */
  readonly requestId: string;
  readonly state: CallState;
  readonly closedAtMs: number | undefined;
  /** Body bytes handed to the socket. */
  readonly bytesWritten: number;
  /** How often a write found the socket full, so that the provider had to wait for the reader. */
  readonly fullWrites: number;
}

/** The provider's own, writable side of a received call. */
export type CallRecord = { -readonly [Member in keyof ReceivedCall]: ReceivedCall[Member] };

export type CallArrival = Omit<
  ReceivedCall,
  'index' | 'state' | 'closedAtMs' | 'bytesWritten' | 'fullWrites'
>;

/** Keeps the calls in order of arrival, and wakes whoever waits for one of them to get somewhere. */
export class CallLog {
  private records: CallRecord[] = [];
  private waiting: { isMet: () => boolean; wake: () => void }[] = [];

  get calls(): readonly ReceivedCall[] {
    return this.records;
  }

  add(arrival: CallArrival): CallRecord {
    const record: CallRecord = {
      ...arrival,
      index: this.records.length,
      state: 'open',
      closedAtMs: undefined,
      bytesWritten: 0,
      fullWrites: 0,
    };
    this.records.push(record);
    this.notify();
    return record;
  }

  /** The first ending stands: a socket that closes after a finished response changes nothing. */
  close(record: CallRecord, state: Exclude<CallState, 'open'>): void {
    if (record.state !== 'open') return;
    record.state = state;
    record.closedAtMs = Date.now();
    this.notify();
  }

  /** Books all open calls as ended by the provider. */
  closeAll(): void {
    this.records.forEach((record) => this.close(record, 'closed_by_provider'));
  }

  written(record: CallRecord, byteCount: number, socketIsFull: boolean): void {
    record.bytesWritten += byteCount;
    if (socketIsFull) record.fullWrites += 1;
    this.notify();
  }

  async until(isMet: () => boolean): Promise<void> {
    if (isMet()) return;
    await new Promise<void>((wake) => this.waiting.push({ isMet, wake }));
  }

  clear(): void {
    this.records = [];
  }

  /** Looks again at what is waited for; call it after a change that this log doesn't see. */
  notify(): void {
    const met = this.waiting.filter((waiter) => waiter.isMet());
    this.waiting = this.waiting.filter((waiter) => !met.includes(waiter));
    met.forEach((waiter) => waiter.wake());
  }
}
