import type { Plan } from '../../domain/routing/plan';

export interface Clock {
  nowMs(plan: Plan): number;
}
