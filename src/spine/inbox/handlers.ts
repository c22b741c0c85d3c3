import type { Clock } from '../../kernel/clock.ts';
import { toPlain } from '../../kernel/json/plain.ts';
import type { JsonDocument } from '../../kernel/json/reader.ts';
import { isJsonObject, type Json } from '../../kernel/json/value.ts';
import { canSeeProject, isOwner, requireProject } from '../identity/access.ts';
import type { Principal } from '../identity/principal.ts';
import { grantsScope } from '../identity/scopes.ts';
import type { Handlers } from '../operations/handler.ts';
import type { Reader } from '../storage/database.ts';
import { inboxErrors } from './errors.ts';
import type { Inbox } from './inbox.ts';
import type { InboxItem, ItemSort } from './item.ts';
import { type Place, placeOf, type Viewer } from './list-store.ts';
import type { inboxOperations } from './operations.ts';
import { credentialName, isAsker } from './rules.ts';
import { ITEM_CURSOR } from './schema.ts';
import { type ItemBody, shownItem } from './shown-item.ts';

const DEFAULT_LIMIT = 50;

export function createInboxHandlers(inbox: Inbox, clock: Clock): Handlers<typeof inboxOperations> {
  async function shown(reader: Reader, item: InboxItem, principal: Principal): Promise<ItemBody> {
    const refused = await inbox.refusal(reader, item, principal);
    return shownItem(item, {
      now: clock.now(),
      refused,
      lacksScope: !decides(principal),
      needsPresence: inbox.needsPresence(item),
      asked: isAsker(item, principal),
      agreedBy: await inbox.agreedBy(reader, item),
    });
  }

  return {
    'inbox.list': async (reader, { input, principal }) => {
      const {
        project,
        state = 'open',
        kind,
        risk,
        requested_by,
        words,
        mine,
        limit = DEFAULT_LIMIT,
      } = input.query;
      if (project !== undefined) requireProject(principal, project);
      const { sort, from } = startOf(input.query);
      const filter = {
        projects: mine && !decides(principal) ? [] : project === undefined ? principal.projects : [project],
        state,
        viewer: viewerOf(principal),
        sort,
        limit,
        ...(mine !== undefined && { mine }),
        ...(kind !== undefined && { kind }),
        ...(risk !== undefined && { risk }),
        ...(requested_by !== undefined && { requestedBy: requested_by }),
        ...(words !== undefined && { words }),
      };
      const found = await inbox.list(reader, { ...filter, ...(from && { from }), limit: limit + 1 });
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      const items: ItemBody[] = [];
      for (const item of page) items.push(await shown(reader, item, principal));
      return {
        body: {
          items,
          total: await inbox.count(reader, filter),
          next: last === undefined ? null : cursorOf(last, sort),
        },
      };
    },

    'inbox.counts': async (reader, { input, principal }) => {
      const { project } = input.query;
      if (project !== undefined) requireProject(principal, project);
      const filter = {
        projects: project === undefined ? principal.projects : [project],
        state: 'open',
        viewer: viewerOf(principal),
        limit: 0,
      } as const;
      const { total, byRisk, byKind } = await inbox.tally(reader, filter);
      const mine = decides(principal) ? await inbox.count(reader, { ...filter, mine: true }) : 0;
      return {
        body: {
          open: total,
          mine,
          by_risk: { low: 0, medium: 0, high: 0, critical: 0, ...byRisk },
          by_kind: { ...byKind },
        },
      };
    },

    'inbox.get': async (reader, { input, principal }) => {
      const item = await inbox.get(reader, input.path.id);
      if (!item || !canSeeProject(principal, item.projectId) || !mayKnowOf(item, principal)) {
        throw inboxErrors.item_not_found({ details: { id: input.path.id } });
      }
      const details = await inbox.describe(reader, item, principal);
      const body = await shown(reader, item, principal);
      return { body: { ...body, ...(details && { details: toPlain(details) as ItemBody['details'] }) } };
    },

    'inbox.decide': async (uow, { input, principal, document }) => {
      const { decision, choice, digest, note } = input.body;
      const edits = editsOf(document);
      const { item } = await inbox.decide(uow, {
        itemId: input.path.id,
        decision,
        digest,
        principal,
        ...(choice !== undefined && { choice }),
        ...(note !== undefined && { note }),
        ...(edits !== undefined && { edits }),
      });
      return { body: await shown(uow, item, principal) };
    },
  };
}

function decides(principal: Principal): boolean {
  return grantsScope(principal.scopes, 'inbox:decide');
}

/** An agent does not learn that something is asked about a person, unless it asked. */
function mayKnowOf(item: InboxItem, principal: Principal): boolean {
  return !item.personal || principal.actor.type === 'human' || isAsker(item, principal);
}

function viewerOf(principal: Principal): Viewer {
  return {
    actorId: principal.actor.id,
    human: principal.actor.type === 'human',
    owner: isOwner(principal),
    credential: credentialName(principal),
  };
}

interface Start {
  readonly sort: ItemSort;
  readonly from: Place | undefined;
}

function startOf(query: {
  readonly sort?: ItemSort | undefined;
  readonly after?: number | undefined;
  readonly cursor?: string | undefined;
}): Start {
  const [, sort, key, seq] = ITEM_CURSOR.exec(query.cursor ?? '') ?? [];
  if (sort !== undefined) return { sort: sort as ItemSort, from: { key: Number(key), seq: Number(seq) } };
  const { after } = query;
  if (after !== undefined) return { sort: 'oldest', from: { key: after, seq: after } };
  return { sort: query.sort ?? 'oldest', from: undefined };
}

function cursorOf(item: InboxItem, sort: ItemSort): string {
  const { key, seq } = placeOf(item, sort);
  return `${sort}.${key}.${seq}`;
}

/** As written: edits are hashed and applied with their numbers unchanged. */
function editsOf(document: JsonDocument | undefined): Json | undefined {
  return document && isJsonObject(document.value) ? document.value.edits : undefined;
}
