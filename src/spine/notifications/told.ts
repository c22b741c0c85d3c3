import type { Clock } from '../../kernel/clock.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { Reader } from '../storage/database.ts';
import { audienceOf } from './audience.ts';
import type { Channel } from './channel-store.ts';
import { selectDeliveries } from './delivery-store.ts';
import type { Told } from './rules/words.ts';

/** What of a message is still to be told: neither what was decided meanwhile, nor what its reader may no longer see. */
export async function stillToTell(
  reader: Reader,
  { inbox, clock }: { readonly inbox: Inbox; readonly clock: Clock },
  channel: Channel,
  messageId: string,
): Promise<Told[]> {
  const audience = audienceOf(reader, inbox, clock);
  const told: Told[] = [];
  for (const delivery of await selectDeliveries(reader, messageId)) {
    if (!(await audience.mayBeTold(channel.actorId, delivery))) continue;
    const item = delivery.itemId === null ? undefined : await audience.itemOf(delivery.itemId);
    told.push({
      kind: delivery.kind,
      projectId: delivery.projectId,
      risk: item?.risk ?? delivery.risk,
      item: item
        ? {
            itemId: item.itemId,
            kind: item.kind,
            title: item.personal ? null : item.title,
            expires: item.expires,
          }
        : null,
    });
  }
  return told;
}
