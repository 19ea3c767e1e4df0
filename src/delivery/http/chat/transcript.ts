import type { SentAnswer } from '../../../usecase/port/reply';

/** What is kept of one answer at most, bytes: far above any text, and some minutes of speech. It bounds memory and store. */
export const MAX_TRANSCRIPT_BYTES = 16 * 1024 * 1024;

/** Keeps what a stream says, its comments left out, until that is too much; then it keeps nothing of it. */
export class Transcript {
  private headers: Readonly<Record<string, string>> = {};
  private begun = false;
  private texts: string[] = [];
  private bytes = 0;

  /** The head, as it goes out; the first one counts. */
  begin(headers: Readonly<Record<string, string>>): void {
    if (!this.begun) this.headers = headers;
    this.begun = true;
  }

  add(text: string): void {
    this.bytes += Buffer.byteLength(text);
    if (this.bytes <= MAX_TRANSCRIPT_BYTES) this.texts.push(text);
    else this.texts = [];
  }

  /** The whole of it; null: it was too much. */
  complete(ending: string): SentAnswer | null {
    this.add(ending);
    if (this.bytes > MAX_TRANSCRIPT_BYTES) return null;
    return { status: 200, headers: this.headers, body: this.texts.join('') };
  }
}

/** Null: it is too much to be kept. */
export function kept(answer: SentAnswer): SentAnswer | null {
  return Buffer.byteLength(answer.body) <= MAX_TRANSCRIPT_BYTES ? answer : null;
}
