import { setTimeout as pause } from 'node:timers/promises';
import { Draws } from '../support/money/draws';
import { questionOf, type Question, type SoakTenant } from './question';
import type { SoakGateway } from './soak-gateway';
import { askAt, type Asked } from './soak-request';

export type Callers = Readonly<{
  gateways: readonly SoakGateway[];
  keys: Readonly<Record<SoakTenant, string>>;
  seed: number;
}>;

const CALLERS = 14;
/** After so many, whoever repeats gives up; a question is answered by then, or its key is held until reconciliation. */
const MOST_REPEATS = 4;

/** Many who ask one question after the other, at whichever gateway, until they are told to stop. */
export class SoakCallers {
  readonly asked: Asked[] = [];
  private questions = 0;
  private requests = 0;
  private stopped = false;
  private readonly playing: Promise<unknown>;

  constructor(private readonly callers: Callers) {
    this.playing = Promise.all(Array.from({ length: CALLERS }, () => this.play()));
  }

  /** Nobody asks anything new. Resolves when all have their answers. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.playing;
  }

  private async play(): Promise<void> {
    while (!this.stopped) {
      const number = this.questions;
      this.questions += 1;
      const draws = new Draws(this.callers.seed * 1_000_003 + number);
      await this.putQuestion(questionOf(number, draws), draws);
      await pause(draws.between(5, 60));
    }
  }

  private async putQuestion(question: Question, draws: Draws): Promise<void> {
    const first = draws.between(0, this.callers.gateways.length - 1);
    const shortly = (): number => draws.between(1, draws.oneOf([30, 300, 3_000]));
    switch (question.way) {
      case 'asks':
        await this.ask(question, first);
        return;
      case 'leaves':
        await this.ask(question, first, shortly());
        return;
      case 'doubles':
        await Promise.all(this.callers.gateways.map((_, gateway) => this.ask(question, gateway)));
        await this.untilAnswered(question, first, draws);
        return;
      case 'repeats':
        await this.untilAnswered(question, first, draws);
        await this.ask(question, first + 1);
        return;
      case 'leaves_and_repeats':
        await this.ask(question, first, shortly());
        await this.untilAnswered(question, first + 1, draws);
        return;
    }
  }

  private async untilAnswered(question: Question, first: number, draws: Draws): Promise<void> {
    for (let times = 0; times < MOST_REPEATS; times += 1) {
      const { end } = await this.ask(question, first + times);
      if (end === 'answered') return;
      await pause(draws.between(20, 400));
    }
  }

  private async ask(question: Question, turn: number, leaveAfterMs: number | null = null): Promise<Asked> {
    const { gateways, keys } = this.callers;
    const gateway = turn % gateways.length;
    this.requests += 1;
    const place = { gateway, url: gateways[gateway]!.url, key: keys[question.tenant] };
    const asked = withKill(await askAt(place, question, this.requests, leaveAfterMs), gateways[gateway]!);
    this.asked.push(asked);
    return asked;
  }
}

/** Who got nothing because his gateway wasn't there to the end has not lost it by a fault of the gateway. */
function withKill(asked: Asked, gateway: SoakGateway): Asked {
  if (asked.end !== 'lost' || gateway.servedThroughout(asked.sentAtMs, asked.endedAtMs)) return asked;
  return { ...asked, end: 'killed' };
}
