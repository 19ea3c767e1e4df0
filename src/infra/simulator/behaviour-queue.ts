import type { Behaviour } from './behaviour';

const HEALTHY: Behaviour = { kind: 'answer' };

/** The standing behaviour, the ones queued before it, and the gate at which held calls wait. */
export class BehaviourQueue {
  private standing: Behaviour = HEALTHY;
  private queued: Behaviour[] = [];
  private gate = closedGate();

  get current(): Behaviour {
    return this.standing;
  }

  stand(behaviour: Behaviour): void {
    this.standing = behaviour;
  }

  enqueue(behaviours: readonly Behaviour[]): void {
    this.queued.push(...behaviours);
  }

  next(): Behaviour {
    return this.queued.shift() ?? this.standing;
  }

  released(): Promise<void> {
    return this.gate.promise;
  }

  /** Opens the gate for every call that has arrived; later ones are held again. */
  release(): void {
    this.gate.resolve();
    this.gate = closedGate();
  }

  reset(): void {
    this.standing = HEALTHY;
    this.queued = [];
    this.release();
  }
}

type Gate = Readonly<{ promise: Promise<void>; resolve: () => void }>;

function closedGate(): Gate {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve: () => resolve() };
}
