import { setTimeout as pause } from 'node:timers/promises';
import { CallerRequest, type Leaving } from './caller-request';
import { Draws } from './draws';
import type { Case } from './mix';
import type { MoneyStage } from './stage';

/** One request of a caller, and what he got for it. */
export type Asked = Readonly<{
  tag: string;
  /** As he called it himself. */
  callerId: string;
  /**
   * `answered`: completely. `refused`: with an error. `broken`: an answer that ended with an error. `left`: he didn't wait for it.
   * `killed`: his gateway was. `lost`: none of these, so something is wrong.
   */
  end: 'answered' | 'refused' | 'broken' | 'left' | 'killed' | 'lost';
  status: number | null;
  requestId: string | null;
  /** As the header said it. */
  retryAfter: string | null;
  replayed: boolean;
  text: string;
}>;

const IN_PROGRESS_PAUSE_MS = 10;
/** After so many a key is held by nobody who lives. */
const MOST_REPEATS = 1_000;

/** Plays the caller of one case, in his own way. */
export class Caller {
  readonly asked: Asked[] = [];
  private readonly draws: Draws;

  constructor(
    private readonly stage: MoneyStage,
    private readonly wanted: Case,
  ) {
    this.draws = new Draws(wanted.index);
  }

  async play(): Promise<readonly Asked[]> {
    const { caller, idempotencyKey } = this.wanted;
    switch (caller) {
      case 'asks':
        await this.untilSettled();
        break;
      case 'repeats':
        for (let times = this.draws.between(2, 3); times > 0; times -= 1) await this.untilSettled();
        break;
      case 'doubles':
        await Promise.all([this.ask(), this.ask(), this.ask()]);
        await this.untilSettled();
        break;
      case 'alters':
        await this.untilSettled();
        await this.ask({ max_tokens: 50 });
        break;
      case 'leaves_waiting':
        await this.ask({}, { afterMs: this.draws.between(5, 60) });
        break;
      case 'leaves_reading':
        await this.ask({}, { afterPieces: this.draws.between(1, 8) });
        if (idempotencyKey !== null) await this.untilSettled();
        break;
    }
    return this.asked;
  }

  /** Who has a key asks until he is told something: 409 while the first request runs, nothing when the gateway was killed. */
  private async untilSettled(): Promise<void> {
    for (let repeats = 0; repeats < MOST_REPEATS; repeats += 1) {
      const { end, status, text } = await this.ask();
      const unsettled = end === 'killed' || (status === 409 && text.includes('idempotency_in_progress'));
      if (!unsettled || this.wanted.idempotencyKey === null) return;
      await pause(IN_PROGRESS_PAUSE_MS);
    }
    throw new Error(`${this.wanted.tag} is in progress for ever.`);
  }

  private async ask(changes: object = {}, leaving: Leaving = null): Promise<Asked> {
    const killsBefore = this.stage.timesKilled;
    const url = await this.stage.url();
    const request = new CallerRequest(this.wanted, this.asked.length, leaving);
    // Its place is taken before it is answered: of requests at the same instant, each has a name of its own.
    const place = this.asked.push(request.told('lost')) - 1;
    const got = await request.send(url, this.stage.keyOf(this.wanted.tenant), changes);
    const killed = got.end === 'lost' && this.stage.timesKilled > killsBefore;
    const asked: Asked = killed ? { ...got, end: 'killed' } : got;
    this.asked[place] = asked;
    return asked;
  }
}
