import type { Clock } from '../../kernel/clock.ts';
import { isOwner } from '../identity/access.ts';
import type { Principal } from '../identity/principal.ts';
import { grantsScope } from '../identity/scopes.ts';
import type { Reader } from '../storage/database.ts';
import type { Inbox } from './inbox.ts';
import type { InboxItem } from './item.ts';
import type { Viewer } from './list-store.ts';
import { credentialName, isAsker } from './rules.ts';
import { type ItemBody, shownItem } from './shown-item.ts';

export function decides(principal: Principal): boolean {
  return grantsScope(principal.scopes, 'inbox:decide');
}

/** An agent does not learn that something is asked about a person, unless it asked. */
export function mayKnowOf(item: InboxItem, principal: Principal): boolean {
  return !item.personal || principal.actor.type === 'human' || isAsker(item, principal);
}

export function viewerOf(principal: Principal): Viewer {
  return {
    actorId: principal.actor.id,
    human: principal.actor.type === 'human',
    owner: isOwner(principal),
    credential: credentialName(principal),
  };
}

export type ShowItems = (
  reader: Reader,
  items: readonly InboxItem[],
  principal: Principal,
  more?: { readonly highlights: true },
) => Promise<ItemBody[]>;

/** Items as one reader sees them. */
export function createShowItems(inbox: Inbox, clock: Clock): ShowItems {
  return async (reader, items, principal, more) => {
    const asides = await inbox.asides(reader, items, principal.actor.id);
    const bodies: ItemBody[] = [];
    for (const item of items) {
      bodies.push(
        shownItem(item, {
          now: clock.now(),
          refused: await inbox.refusal(reader, item, principal),
          lacksScope: !decides(principal),
          needsPresence: inbox.needsPresence(item),
          asked: isAsker(item, principal),
          agreedBy: await inbox.agreedBy(reader, item),
          asides: asides.filter(({ itemId }) => itemId === item.itemId),
          viewerId: principal.actor.id,
          highlights: more && (await inbox.highlights(reader, item, principal)),
        }),
      );
    }
    return bodies;
  };
}
