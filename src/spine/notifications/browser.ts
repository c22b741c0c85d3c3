import type { Clock, Micros } from '../../kernel/clock.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { UnitOfWork } from '../storage/database.ts';
import type { Channel } from './channel-store.ts';
import { assignDue, dropWaiting } from './delivery-store.ts';
import { insertMessage } from './message-store.ts';
import { isQuiet } from './rules/due.ts';
import { type Words, wordsFor } from './rules/words.ts';
import { stillToTell } from './told.ts';

/** What no page came for is not shown later: whoever opens one sees what waits. */
const SHOWN_WITHIN: Micros = 600_000_000;

/** What an open page has to show now, given once however many pages ask. */
export async function claimForBrowser(
  uow: UnitOfWork,
  { inbox, clock, ids }: { readonly inbox: Inbox; readonly clock: Clock; readonly ids: () => string },
  channel: Channel,
): Promise<(Words & { readonly messageId: string }) | undefined> {
  const now = clock.now();
  await dropWaiting(uow, channel.channelId, now - SHOWN_WITHIN);
  if (channel.paused || isQuiet(now, channel.quiet, channel.zone)) return undefined;
  const messageId = ids();
  const things = await assignDue(uow, channel.channelId, messageId, now);
  if (things === 0) return undefined;
  const told = await stillToTell(uow, { inbox, clock }, channel, messageId);
  const state = told.length > 0 ? 'sent' : 'withdrawn';
  const { channelId } = channel;
  await insertMessage(uow, {
    messageId,
    channelId,
    state,
    origin: '',
    things,
    createdMicros: now,
    endedMicros: now,
    error: null,
  });
  if (told.length === 0) return undefined;
  return { messageId, ...wordsFor(told, { content: channel.content, origin: '', zone: channel.zone }) };
}
