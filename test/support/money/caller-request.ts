import type { Asked } from './caller';
import type { Case } from './mix';

/** When a caller leaves: after so many milliseconds without an answer, or after so many pieces of one. Null: he stays. */
export type Leaving = Readonly<{ afterMs: number }> | Readonly<{ afterPieces: number }> | null;

/** One request of a caller, and what he is told. */
export class CallerRequest {
  private readonly leave = new AbortController();
  private readonly callerId: string;
  private status: number | null = null;
  private headers = new Headers();
  private text = '';

  constructor(
    private readonly wanted: Pick<Case, 'tag' | 'idempotencyKey' | 'service' | 'body'>,
    number: number,
    private readonly leaving: Leaving,
  ) {
    this.callerId = `${wanted.tag}.${number}`;
  }

  async send(url: string, key: string, changes: object = {}): Promise<Asked> {
    const timer = this.startLeaving();
    try {
      const response = await fetch(`${url}/v1/chat/completions`, this.init(key, changes));
      this.status = response.status;
      this.headers = response.headers;
      await this.read(response);
      return this.told(this.endOf(response.ok));
    } catch {
      return this.told(this.leave.signal.aborted ? 'left' : 'lost');
    } finally {
      clearTimeout(timer);
    }
  }

  told(end: Asked['end']): Asked {
    return {
      tag: this.wanted.tag,
      callerId: this.callerId,
      end,
      status: this.status,
      requestId: this.headers.get('x-request-id'),
      retryAfter: this.headers.get('retry-after'),
      replayed: this.headers.has('idempotent-replayed'),
      text: this.text,
    };
  }

  private init(key: string, changes: object): RequestInit {
    const { idempotencyKey, service, body } = this.wanted;
    return {
      method: 'POST',
      signal: this.leave.signal,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'x-client-request-id': this.callerId,
        ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
        ...(service === null ? {} : { 'x-schneeai-service': service }),
      },
      body: JSON.stringify({ ...body, ...changes }),
    };
  }

  private startLeaving(): NodeJS.Timeout | undefined {
    const { leaving } = this;
    if (leaving === null || !('afterMs' in leaving)) return undefined;
    return setTimeout(() => this.leave.abort(), leaving.afterMs);
  }

  private async read(response: Response): Promise<void> {
    const decoder = new TextDecoder();
    let pieces = 0;
    for await (const piece of response.body ?? []) {
      this.text += decoder.decode(piece, { stream: true });
      pieces += 1;
      if (this.leaving !== null && 'afterPieces' in this.leaving && pieces === this.leaving.afterPieces) {
        this.leave.abort();
      }
    }
  }

  /** A stream says by itself whether it is complete. */
  private endOf(ok: boolean): Asked['end'] {
    if (!ok) return 'refused';
    if (!this.wanted.body.stream || this.text.includes('data: [DONE]')) return 'answered';
    return this.text.includes('data: {"error"') ? 'broken' : 'lost';
  }
}
