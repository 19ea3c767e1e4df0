import type { ReadHealth } from '../../../../usecase/health/read-health';
import type { AdminRoute } from '../admin-route';
import { plain, replied } from '../admin-route';
import { presentHealth } from './health-presenter';

export type HealthUseCases = Readonly<{ readHealth: ReadHealth }>;

export function healthRoutes({ readHealth }: HealthUseCases): readonly AdminRoute[] {
  return [
    {
      method: 'get',
      path: '/health',
      scope: 'operator',
      summary: 'Read what this process has observed of every route and provider',
      ...plain(async () => replied(200, presentHealth(readHealth.execute()))),
    },
  ];
}
