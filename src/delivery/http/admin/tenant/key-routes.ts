import type { IssueKey } from '../../../../usecase/tenant/issue-key';
import type { ReadTenants } from '../../../../usecase/tenant/read-tenants';
import type { RevokeKey } from '../../../../usecase/tenant/revoke-key';
import type { RotateKey } from '../../../../usecase/tenant/rotate-key';
import type { AdminRoute } from '../admin-route';
import { listed, param, plain, replied, withBody } from '../admin-route';
import { instantMs } from '../instant';
import { IssueKeyDto } from './issue-key-dto';
import { presentIssuedKey, presentKey } from './key-presenter';

export type KeyUseCases = Readonly<{
  issueKey: IssueKey;
  revokeKey: RevokeKey;
  rotateKey: RotateKey;
  readTenants: ReadTenants;
}>;

export function keyRoutes(useCases: KeyUseCases): readonly AdminRoute[] {
  return [...issuingRoutes(useCases), ...endingRoutes(useCases)];
}

function issuingRoutes({ issueKey, readTenants }: KeyUseCases): readonly AdminRoute[] {
  return [
    {
      method: 'get',
      path: '/tenants/{tenant}/keys',
      scope: 'tenant:admin',
      summary: "List a tenant's keys, revoked ones included",
      ...plain(async (request) => listed(readTenants.keys(param(request, 'tenant')).map(presentKey))),
    },
    {
      method: 'post',
      path: '/tenants/{tenant}/keys',
      scope: 'tenant:admin',
      summary: 'Issue a key; its secret is shown in this answer only',
      ...withBody(IssueKeyDto, async (request, dto) => {
        const wanted = {
          name: dto.name,
          scopes: dto.scopes,
          groups: dto.groups ?? [],
          groupStrategy: dto.group_strategy ?? null,
          rpm: dto.rpm ?? null,
          expiresAtMs: dto.expires_at == null ? null : instantMs(dto.expires_at),
        };
        const issued = await issueKey.execute(param(request, 'tenant'), wanted, request.caller);
        return issued.ok ? replied(201, presentIssuedKey(issued.value)) : issued;
      }),
    },
  ];
}

function endingRoutes({ revokeKey, rotateKey }: KeyUseCases): readonly AdminRoute[] {
  return [
    {
      method: 'post',
      path: '/tenants/{tenant}/keys/{key}/rotate',
      scope: 'tenant:admin',
      summary: 'Replace a key by a new one with the same rights, and revoke it',
      ...plain(async (request) => {
        const rotated = await rotateKey.execute(
          param(request, 'tenant'),
          param(request, 'key'),
          request.caller,
        );
        return rotated.ok ? replied(201, presentIssuedKey(rotated.value)) : rotated;
      }),
    },
    {
      method: 'delete',
      path: '/tenants/{tenant}/keys/{key}',
      scope: 'tenant:admin',
      summary: 'Revoke a key at once',
      ...plain(async (request) => {
        const revoked = await revokeKey.execute(param(request, 'tenant'), param(request, 'key'));
        return revoked.ok ? replied(200, presentKey(revoked.value)) : revoked;
      }),
    },
  ];
}
