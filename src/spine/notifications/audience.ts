import type { Clock } from '../../kernel/clock.ts';
import { canSeeProject } from '../identity/access.ts';
import type { Principal } from '../identity/principal.ts';
import { grantsScope } from '../identity/scopes.ts';
import { standingPrincipals } from '../identity/standing-principals.ts';
import type { Inbox } from '../inbox/inbox.ts';
import { type InboxItem, stateAt } from '../inbox/item.ts';
import type { Reader } from '../storage/database.ts';
import type { NoticeKind } from './kinds.ts';

export interface About {
  readonly kind: NoticeKind;
  readonly projectId: string;
  readonly itemId: string | null;
}

/** Who may be told of what, by what their credentials allow at the moment. One serves one unit of work. */
export interface Audience {
  mayBeTold(actorId: string, about: About): Promise<boolean>;
  itemOf(itemId: string): Promise<InboxItem | undefined>;
}

const SCOPES: Readonly<Record<NoticeKind, string>> = {
  inbox: 'inbox:decide',
  expiring: 'inbox:decide',
  denied: 'journal:read',
  budget: 'journal:read',
  run_stopped: 'delivery:read',
  run_finished: 'delivery:read',
};

export function audienceOf(reader: Reader, inbox: Inbox, clock: Clock): Audience {
  const known = new Map<string, Promise<readonly Principal[]>>();
  const items = new Map<string, Promise<InboxItem | undefined>>();

  function principalsOf(actorId: string): Promise<readonly Principal[]> {
    const found = known.get(actorId) ?? standingPrincipals(reader, actorId, clock.now());
    known.set(actorId, found);
    return found;
  }

  function itemOf(itemId: string): Promise<InboxItem | undefined> {
    const found = items.get(itemId) ?? inbox.get(reader, itemId);
    items.set(itemId, found);
    return found;
  }

  return {
    itemOf,
    async mayBeTold(actorId, { kind, projectId, itemId }) {
      const item = itemId === null ? undefined : await itemOf(itemId);
      // What is decided waits for nobody.
      if (itemId !== null && (!item || stateAt(item, clock.now()) !== 'open')) return false;
      for (const principal of await principalsOf(actorId)) {
        if (!canSeeProject(principal, projectId) || !grantsScope(principal.scopes, SCOPES[kind])) continue;
        if (!item || (await inbox.refusal(reader, item, principal)) === undefined) return true;
      }
      return false;
    },
  };
}
