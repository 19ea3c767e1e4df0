import { ARCHIVED_PARTS, DEFAULT_RETENTION_HOURS } from '../../../../domain/archive/archive-term';
import type { ReadArchive } from '../../../../usecase/archive/read-archive';
import type { SwitchArchive } from '../../../../usecase/archive/switch-archive';
import type { AdminRoute } from '../admin-route';
import { listed, param, plain, replied, withBody, withQuery } from '../admin-route';
import { cursorOf } from '../cursor';
import { instantMs } from '../instant';
import { pageOf } from '../page-fields';
import { requestIdOfCursor } from './archive-cursor';
import { presentArchive, presentEntry, presentEntryRef } from './archive-presenter';
import { ArchiveQueryDto } from './archive-query-dto';
import { ArchiveTermDto } from './archive-term-dto';

export type ArchiveUseCases = Readonly<{ switchArchive: SwitchArchive; readArchive: ReadArchive }>;

export function archiveRoutes(useCases: ArchiveUseCases): readonly AdminRoute[] {
  return [...termRoutes(useCases), ...entryRoutes(useCases)];
}

function termRoutes({ switchArchive, readArchive }: ArchiveUseCases): readonly AdminRoute[] {
  const route = { path: '/tenants/{tenant}/archive', scope: 'tenant:admin' } as const;
  return [
    {
      ...route,
      method: 'get',
      summary: "Read whether a tenant's prompts and answers are archived, and until when",
      ...plain(async (request) => replied(200, presentArchive(readArchive.state(param(request, 'tenant'))))),
    },
    {
      ...route,
      method: 'put',
      summary: "Archive a tenant's prompts and answers for a limited time, encrypted",
      ...withBody(ArchiveTermDto, async (request, dto) => {
        const tenant = param(request, 'tenant');
        const switched = await switchArchive.on(tenant, {
          untilMs: instantMs(dto.until) ?? 0,
          retentionHours: dto.retention_hours ?? DEFAULT_RETENTION_HOURS,
          include: dto.include ?? ARCHIVED_PARTS,
        });
        return switched.ok ? replied(200, presentArchive(readArchive.state(tenant))) : switched;
      }),
    },
    {
      ...route,
      method: 'delete',
      summary: 'Switch the archive off and destroy what it holds',
      ...plain(async (request) => {
        await switchArchive.off(param(request, 'tenant'));
        return replied(204, null);
      }),
    },
  ];
}

function entryRoutes({ readArchive }: ArchiveUseCases): readonly AdminRoute[] {
  return [
    {
      method: 'get',
      path: '/tenants/{tenant}/archive/requests',
      scope: 'tenant:admin',
      summary: 'List what is archived, by id and time, newest first',
      ...withQuery(ArchiveQueryDto, async (request, dto) => {
        const page = pageOf(dto, requestIdOfCursor);
        const { entries, next } = await readArchive.list(param(request, 'tenant'), page);
        return listed(entries.map(presentEntryRef), next === null ? null : cursorOf(next));
      }),
    },
    {
      method: 'get',
      path: '/tenants/{tenant}/archive/requests/{request_id}',
      scope: 'tenant:admin',
      summary: 'Read an archived request and its answer; that it was read goes on record first',
      ...plain(async (request) => {
        const entry = await readArchive.one(param(request, 'tenant'), param(request, 'request_id'));
        return entry.ok ? replied(200, presentEntry(entry.value)) : entry;
      }),
    },
  ];
}
