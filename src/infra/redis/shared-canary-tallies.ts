import { createHash } from 'node:crypto';
import type { CanaryTally } from '../../domain/routing/canary';
import type { CanaryRef } from '../../usecase/port/canary-observer';
import type { CanaryTallies } from '../../usecase/port/canary-tallies';
import type { RedisConnection } from './redis-connection';
import type { SharingLog } from './sharing-log';

/** As many as the tallies of one process remember. */
const MAX_CANARIES = 10_000;
/** A canary that gets no request for so long is counted from nothing again. */
const KEPT_MS = 7 * 86_400_000;

/** Key: one canary. Arguments: requests and failures to add, for how long to keep it. Returns the sums of all replicas. */
const ADD = `
local requests = redis.call('HINCRBY', KEYS[1], 'requests', ARGV[1])
local failures = redis.call('HINCRBY', KEYS[1], 'failures', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return { requests, failures }
`;

const NOTHING: CanaryTally = { requests: 0, failures: 0 };

/** One canary, as far as others count it too. */
type Share = { untold: CanaryTally; told: CanaryTally; elsewhere: CanaryTally };

export type SharedCanaryTalliesDeps = Readonly<{
  own: CanaryTallies;
  redis: RedisConnection;
  log: Pick<SharingLog, 'failed'>;
}>;

/**
 * Counts canaries over all replicas (ADR 20): each tells what it counts in the background, and is told the sum in return. What
 * Redis loses or doesn't answer is missing from the others' part; what this process has counted itself always counts.
 */
export class SharedCanaryTallies implements CanaryTallies {
  /** By the name in Redis; the one that was counted last at the end. */
  private readonly shares = new Map<string, Share>();
  private telling = false;

  constructor(private readonly deps: SharedCanaryTalliesDeps) {}

  add(canary: CanaryRef, outcome: 'served' | 'failed'): CanaryTally {
    const own = this.deps.own.add(canary, outcome);
    const share = this.shareOf(this.nameOf(canary));
    share.untold = sum(share.untold, { requests: 1, failures: outcome === 'failed' ? 1 : 0 });
    this.tellLater();
    return sum(own, share.elsewhere);
  }

  /** Everything that one turn of the event loop counts goes together. Never rejects. */
  private tellLater(): void {
    if (this.telling || !this.deps.redis.isUp) return;
    this.telling = true;
    setImmediate(() => {
      this.telling = false;
      for (const [name, share] of this.shares) if (share.untold.requests > 0) void this.tell(name, share);
    });
  }

  private async tell(name: string, share: Share): Promise<void> {
    const { redis, log } = this.deps;
    const { requests, failures } = share.untold;
    // Told once, whatever comes of it: told twice it would count twice.
    share.untold = NOTHING;
    share.told = sum(share.told, { requests, failures });
    try {
      const total = talliesOf(await redis.commands.eval(ADD, 1, name, requests, failures, KEPT_MS));
      if (total !== null) share.elsewhere = rest(total, share.told);
    } catch (error) {
      log.failed('canary', error);
    }
  }

  private shareOf(name: string): Share {
    const share = this.shares.get(name) ?? { untold: NOTHING, told: NOTHING, elsewhere: NOTHING };
    this.shares.delete(name);
    this.shares.set(name, share);
    const [oldest] = this.shares.keys();
    if (this.shares.size > MAX_CANARIES && oldest !== undefined) this.shares.delete(oldest);
    return share;
  }

  /** Hashed: who has access to Redis needn't learn what tenants there are. */
  private nameOf({ tenant, policy, version }: CanaryRef): string {
    const identity = JSON.stringify([tenant, policy, version]);
    return this.deps.redis.name(`canary:${createHash('sha256').update(identity).digest('base64url')}`);
  }
}

function sum(one: CanaryTally, other: CanaryTally): CanaryTally {
  return { requests: one.requests + other.requests, failures: one.failures + other.failures };
}

function rest(total: CanaryTally, part: CanaryTally): CanaryTally {
  const requests = Math.max(0, total.requests - part.requests);
  return { requests, failures: Math.min(requests, Math.max(0, total.failures - part.failures)) };
}

/** Null: it isn't what the script returns. */
function talliesOf(reply: unknown): CanaryTally | null {
  const [requests, failures] = Array.isArray(reply) ? (reply as readonly unknown[]) : [];
  if (!Number.isSafeInteger(requests) || !Number.isSafeInteger(failures)) return null;
  return { requests: requests as number, failures: failures as number };
}
