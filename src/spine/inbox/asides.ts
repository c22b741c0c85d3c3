import type { Clock, Micros } from '../../kernel/clock.ts';
import type { BatonError } from '../../kernel/error.ts';
import { formatMicros } from '../../kernel/instant.ts';
import type { Actor, Principal } from '../identity/principal.ts';
import type { Reader, UnitOfWork } from '../storage/database.ts';
import { bringBack, putAside, selectAsides } from './aside-store.ts';
import { inboxErrors } from './errors.ts';
import type { Inbox } from './inbox.ts';
import { type InboxItem, stateAt } from './item.ts';
import type { InboxLog } from './log.ts';

/** Until a time, or into the hands of another person. */
export type SetAside = { readonly until: Micros } | { readonly to: Actor };

interface AsideDeps {
  readonly clock: Clock;
  readonly log: InboxLog;
  /** The item, locked; throws where the principal cannot see it. */
  readonly held: (uow: UnitOfWork, itemId: string, principal: Principal) => Promise<InboxItem>;
  readonly refusal: (
    reader: Reader,
    item: InboxItem,
    principal: Principal,
  ) => Promise<BatonError | undefined>;
}

/** What one person puts aside stays where it is for everybody else, and expires all the same. */
export function createAsides({
  clock,
  log,
  held,
  refusal,
}: AsideDeps): Pick<Inbox, 'setAside' | 'bringBack' | 'asides'> {
  return {
    async setAside(uow, itemId, principal, aside) {
      const item = await held(uow, itemId, principal);
      const now = clock.now();
      const state = stateAt(item, now);
      if (state === 'expired') throw inboxErrors.item_expired({ details: { expires_at: item.expiresAt } });
      if (state !== 'open') throw inboxErrors.already_decided({ details: { state } });
      const refused = await refusal(uow, item, principal);
      if (refused) throw refused;
      if (
        'until' in aside &&
        (aside.until <= now || (item.expires !== null && aside.until >= item.expires))
      ) {
        throw inboxErrors.deferred_too_far({ pointer: '/until', details: { expires_at: item.expiresAt } });
      }
      const until = 'until' in aside ? aside.until : null;
      const handedTo = 'to' in aside ? aside.to.id : null;
      await putAside(uow, {
        itemId,
        actorId: principal.actor.id,
        until,
        untilAt: until === null ? null : formatMicros(until),
        handedTo,
        setAt: formatMicros(now),
      });
      // Whoever is handed an item that they had put aside has it before them again.
      if (handedTo !== null) await bringBack(uow, itemId, handedTo);
      await log.setAside(uow, item, principal.actor, {
        ...(until !== null && { until: formatMicros(until) }),
        ...(handedTo !== null && { handed_to: handedTo }),
      });
      return item;
    },

    async bringBack(uow, itemId, principal) {
      const item = await held(uow, itemId, principal);
      if (await bringBack(uow, itemId, principal.actor.id)) await log.broughtBack(uow, item, principal.actor);
      return item;
    },

    asides: (reader, items, actorId) =>
      selectAsides(
        reader,
        items.map(({ itemId }) => itemId),
        actorId,
      ),
  };
}
