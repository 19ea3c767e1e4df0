import type { Asked } from './caller';
import { Caller } from './caller';
import { caseOf, killsOf, type Mix } from './mix';
import type { MoneyStage } from './stage';

const CALLERS = 12;

/** Plays all cases, so many at a time, with the kills between them. */
export async function runMix(mix: Mix, stage: MoneyStage): Promise<readonly Asked[]> {
  const kills = new Set(killsOf(mix));
  const asked: Asked[] = [];
  let next = 0;
  const playOn = async (): Promise<void> => {
    while (next < mix.cases) {
      const index = next;
      next += 1;
      if (kills.has(index)) await stage.kill();
      asked.push(...(await new Caller(stage, caseOf(mix, index)).play()));
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, playOn));
  return asked;
}
