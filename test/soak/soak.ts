import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { aftermathOf, type Aftermath } from './aftermath';
import { answersAreWhole, endingsAreTold } from './invariant/answers';
import type { Invariant } from './invariant/invariant';
import { costsAreCharges, keysAreBilledOnce, walletIsRight } from './invariant/money';
import { gatewaysLive, startsAreQuick } from './invariant/processes';
import { answersAreClosed, callsAreOnRecord, chainsVerify } from './invariant/records';
import { nothingIsTold } from './invariant/secrecy';
import { newOnesAreRefused, runningOnesFinish } from './invariant/store-away';
import { isFault } from './provider-fault';
import { runSoak } from './soak-run';
import { SoakStage } from './soak-stage';
import { secondsAway } from './soak-store';
import { counted } from '../support/money/grouped';

// `npm run soak`: two gateways under load, while they are killed, their store and their Redis come and go, and their providers
// fail. Then everything that has to be true is looked for. `--minutes` (3), `--seed` (drawn), `--dist` (the built product), `--logs <folder>`
// (what the gateways printed, and what happened to each question, as JSON).

const MINUTE_MS = 60_000;
/** In less, one outage would begin within the other. */
const SHORTEST_MINUTES = 0.5;
const SHOWN_VIOLATIONS = 10;

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    dist: { type: 'string', default: join(__dirname, '../../dist') },
    logs: { type: 'string' },
  },
});

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function soak(): Promise<number> {
  const [minutes, seed] = [Number(options.minutes), Number(options.seed)];
  const main = resolve(options.dist, 'main.js');
  if (!(minutes >= SHORTEST_MINUTES)) throw new Error(`--minutes is a number from ${SHORTEST_MINUTES} on.`);
  if (!Number.isInteger(seed)) throw new Error('--seed is a whole number.');
  if (!existsSync(main)) throw new Error(`There is no built product at ${main}.`);
  const stage = await SoakStage.start(main, seed);
  endWith(stage);
  try {
    const redis = stage.parts.redis === null ? 'without Redis: no redis-server is installed' : 'with Redis';
    say(`soak of ${minutes} minutes, seed ${seed}, ${redis}`);
    await stage.setUp();
    const run = await runSoak(stage, seed, minutes * MINUTE_MS);
    say('the load is over; gateways stop, start again and reconcile');
    const aftermath = await aftermathOf(stage, run);
    if (options.logs !== undefined) keep(aftermath, options.logs);
    sayFaults(aftermath);
    const broken = (await invariantsOf(aftermath)).filter(sayInvariant);
    await aftermath.close();
    if (broken.length > 0) say(`\n${broken.length} broken; again with: npm run soak -- --seed ${seed}`);
    return broken.length === 0 ? 0 : 1;
  } finally {
    await stage.end();
  }
}

async function invariantsOf(aftermath: Aftermath): Promise<readonly Invariant[]> {
  return [
    callsAreOnRecord(aftermath),
    answersAreClosed(aftermath),
    endingsAreTold(aftermath),
    answersAreWhole(aftermath),
    newOnesAreRefused(aftermath),
    runningOnesFinish(aftermath),
    costsAreCharges(aftermath),
    walletIsRight(aftermath),
    keysAreBilledOnce(aftermath),
    chainsVerify(aftermath),
    gatewaysLive(aftermath),
    startsAreQuick(aftermath),
    await nothingIsTold(aftermath),
  ];
}

/** For whoever has to find out why something is broken. */
function keep({ stage, run, interactions, calls }: Aftermath, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [index, { lives }] of stage.gateways.entries()) {
    const printed = lives.map(({ end }) => `${end?.output}${end?.errors}`);
    writeFileSync(join(folder, `gateway-${index}.log`), printed.join('\n'));
  }
  writeFileSync(join(folder, 'seen.json'), JSON.stringify({ asked: run.asked, interactions, calls }));
}

function sayFaults({ stage, run, calls }: Aftermath): void {
  const kills = stage.gateways.flatMap(({ lives }) => lives).filter(({ by }) => by === 'kill').length;
  const away = stage.parts.store.outages.map(secondsAway);
  const faults = counted(calls.map(({ fault }) => fault).filter(isFault));
  say('\nsurvived');
  say(`  ${kills} SIGKILLs of gateways`);
  say(`  ${away.length} times no PostgreSQL, for ${away.map((seconds) => seconds.toFixed(1)).join(', ')} s`);
  say(`  ${run.redisRestarts} times no Redis`);
  say(`  ${run.asked.filter(({ end }) => end === 'left').length} callers who left`);
  say(
    `  of ${calls.length} provider calls: ${Object.entries(faults)
      .map(([fault, count]) => `${count} ${fault}`)
      .join(', ')}\n`,
  );
}

/** Whether it is broken. */
function sayInvariant({ name, figures, violations }: Invariant): boolean {
  say(`${violations.length === 0 ? 'ok    ' : 'BROKEN'} ${name}\n         ${figures}`);
  for (const violation of violations.slice(0, SHOWN_VIOLATIONS)) say(`       ! ${violation}`);
  if (violations.length > SHOWN_VIOLATIONS) say(`       ! and ${violations.length - SHOWN_VIOLATIONS} more`);
  return violations.length > 0;
}

/** Whatever ends the soak ends its processes first. */
function endWith(stage: SoakStage): void {
  process.on('exit', () => stage.abandon());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void stage.end().finally(() => process.exit(130)));
  }
}

soak().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(2);
  },
);
