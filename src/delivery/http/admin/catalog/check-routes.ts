import type { ReadCatalog } from '../../../../usecase/catalog/read-catalog';
import type { VerifyChannel } from '../../../../usecase/verification/verify-channel';
import { validatedBody } from '../../middleware/validated-body';
import type { AdminRoute } from '../admin-route';
import { listed, param, plain, replied } from '../admin-route';
import { presentChecks, presentVerification } from './check-presenter';
import { VerifyDto } from './verify-dto';

export type CheckUseCases = Readonly<{ readCatalog: ReadCatalog; verifyChannel: VerifyChannel }>;

export function checkRoutes({ readCatalog, verifyChannel }: CheckUseCases): readonly AdminRoute[] {
  return [
    {
      method: 'post',
      path: '/channels/{channel}/verify',
      scope: 'operator',
      summary: 'Check the offerings of a channel against its live upstream; every call costs money',
      body: VerifyDto,
      query: null,
      handle: async (request) => {
        // Nothing to choose is a wish too: all of them.
        const wanted = validatedBody(VerifyDto, request.body ?? {});
        if (!wanted.ok) return wanted;
        const offerings = wanted.value.offerings ?? null;
        const outcome = await verifyChannel.execute(param(request, 'channel'), offerings);
        return outcome.ok ? replied(200, presentVerification(outcome.value)) : outcome;
      },
    },
    {
      method: 'get',
      path: '/channels/{channel}/checks',
      scope: 'operator',
      summary: 'What verifications saw of the offerings of a channel',
      ...plain(async (request) => {
        const checks = readCatalog.checksOf(param(request, 'channel'));
        return checks.ok ? listed(checks.value.map(presentChecks)) : checks;
      }),
    },
  ];
}
