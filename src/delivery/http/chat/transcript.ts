import type { SentAnswer, WrittenAnswer } from '../../../usecase/port/reply';

/** What is kept of one answer at most, bytes: far above any text, and some minutes of speech. It bounds memory and store. */
export const MAX_TRANSCRIPT_BYTES = 16 * 1024 * 1024;

/** Keeps what a stream says, its comments left out, as far as it is not too much. */
export class Transcript {
  private headers: Readonly<Record<string, string>> = {};
  private begun = false;
  private readonly texts: string[] = [];
  private bytes = 0;
  private characters = 0;

  /** The head, as it goes out; the first one counts. */
  begin(headers: Readonly<Record<string, string>>): void {
    if (!this.begun) this.headers = headers;
    this.begun = true;
  }

  add(text: string): void {
    this.characters += text.length;
    this.bytes += Buffer.byteLength(text);
    if (this.bytes <= MAX_TRANSCRIPT_BYTES) this.texts.push(text);
  }

  /** The whole of it with an ending that is still to come; null: it is too much. */
  complete(ending: string): SentAnswer | null {
    if (this.bytes + Buffer.byteLength(ending) > MAX_TRANSCRIPT_BYTES) return null;
    return { status: 200, headers: this.headers, body: `${this.texts.join('')}${ending}` };
  }

  /** As far as it went, and as far as it was kept; null: nothing went out. */
  get written(): WrittenAnswer | null {
    if (!this.begun) return null;
    return { status: 200, text: this.texts.join(''), characters: this.characters };
  }
}

/** Null: it is too much to be kept. */
export function kept(answer: SentAnswer): SentAnswer | null {
  return Buffer.byteLength(answer.body) <= MAX_TRANSCRIPT_BYTES ? answer : null;
}
