import type { RegisterChannel } from '../../../../usecase/catalog/register-channel';
import type { SwitchChannel } from '../../../../usecase/catalog/switch-channel';
import type { AdminRoute } from '../admin-route';
import { param, plain, replied, withBody } from '../admin-route';
import { ENTRY_ID } from '../field-rules';
import { pathId } from '../path-id';
import { ChannelDto } from './channel-dto';
import { channelOf, presentChannel } from './channel-presenter';
import type { EntryUseCases } from './entry-routes';
import { entryRoutes, writtenReply } from './entry-routes';

export type ChannelUseCases = EntryUseCases &
  Readonly<{ registerChannel: RegisterChannel; switchChannel: SwitchChannel }>;

export function channelRoutes(useCases: ChannelUseCases): readonly AdminRoute[] {
  const { registerChannel, switchChannel } = useCases;
  return [
    ...entryRoutes('channel', presentChannel, useCases),
    {
      method: 'post',
      path: '/channels',
      scope: 'operator',
      summary: 'Register a channel',
      ...withBody(ChannelDto, async (_request, dto) => {
        const outcome = await registerChannel.execute(channelOf(dto.id ?? null, dto), 'create');
        return outcome.ok ? writtenReply(outcome.value, presentChannel) : outcome;
      }),
    },
    {
      method: 'put',
      path: '/channels/{channel}',
      scope: 'operator',
      summary: 'Write a channel, whether it exists or not',
      ...withBody(ChannelDto, async (request, dto) => {
        const id = pathId({
          field: 'id',
          inPath: param(request, 'channel'),
          inBody: dto.id,
          pattern: ENTRY_ID,
        });
        if (!id.ok) return id;
        const outcome = await registerChannel.execute(channelOf(id.value, dto), 'put');
        return outcome.ok ? writtenReply(outcome.value, presentChannel) : outcome;
      }),
    },
    switchRoute('enable', 'Put a channel back into use', switchChannel),
    switchRoute('disable', 'Take a channel out of every plan', switchChannel),
  ];
}

const SWITCHED_TO = { enable: 'enabled', disable: 'disabled' } as const;

function switchRoute(verb: 'enable' | 'disable', summary: string, switchChannel: SwitchChannel): AdminRoute {
  return {
    method: 'post',
    path: `/channels/{channel}/${verb}`,
    scope: 'operator',
    summary,
    ...plain(async (request) => {
      const outcome = await switchChannel.execute(param(request, 'channel'), SWITCHED_TO[verb]);
      return outcome.ok ? replied(200, presentChannel(outcome.value)) : outcome;
    }),
  };
}
