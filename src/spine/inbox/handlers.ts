import type { Clock } from '../../kernel/clock.ts';
import { parseInstant } from '../../kernel/instant.ts';
import { toPlain } from '../../kernel/json/plain.ts';
import type { JsonDocument } from '../../kernel/json/reader.ts';
import { isJsonObject, type Json } from '../../kernel/json/value.ts';
import { canSeeProject, requireProject } from '../identity/access.ts';
import type { Principal } from '../identity/principal.ts';
import type { Handlers } from '../operations/handler.ts';
import type { Database, Reader } from '../storage/database.ts';
import { decideMany } from './decide-many.ts';
import { inboxErrors } from './errors.ts';
import { facetsOf } from './facets.ts';
import { requireTaker } from './hand-over.ts';
import type { Inbox } from './inbox.ts';
import { GROUP_SORTS, type GroupSort, type InboxItem, type ItemSort, type Risk } from './item.ts';
import { type ItemFilter, type Place, placeOf } from './list-store.ts';
import type { inboxOperations } from './operations.ts';
import { ITEM_CURSOR } from './schema.ts';
import type { ItemBody } from './shown-item.ts';
import { createShowItems, decides, mayKnowOf, viewerOf } from './who-looks.ts';

const DEFAULT_LIMIT = 50;

export interface InboxServices {
  readonly db: Database;
  readonly inbox: Inbox;
  readonly clock: Clock;
}

export function createInboxHandlers({ db, inbox, clock }: InboxServices): Handlers<typeof inboxOperations> {
  const show = createShowItems(inbox, clock);
  const shown = async (reader: Reader, item: InboxItem, principal: Principal) =>
    (await show(reader, [item], principal))[0] as ItemBody;

  async function known(reader: Reader, id: string, principal: Principal): Promise<InboxItem> {
    const item = await inbox.get(reader, id);
    if (item && canSeeProject(principal, item.projectId) && mayKnowOf(item, principal)) return item;
    throw inboxErrors.item_not_found({ details: { id } });
  }

  return {
    'inbox.list': async (reader, { input, principal }) => {
      const { state = 'open', like, limit = DEFAULT_LIMIT } = input.query;
      const { sort, from } = startOf(input.query, 'oldest');
      const filter = {
        ...filterOf(principal, input.query),
        state,
        sort,
        limit,
        ...(like !== undefined && { like }),
      };
      const found = await inbox.list(reader, { ...filter, ...(from && { from }), limit: limit + 1 });
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      return {
        body: {
          items: await show(reader, page, principal, { highlights: true }),
          total: await inbox.count(reader, filter),
          next: last === undefined ? null : cursorOf(placeOf(last, sort), sort),
        },
      };
    },

    'inbox.groups': async (reader, { input, principal }) => {
      const { limit = DEFAULT_LIMIT } = input.query;
      const { sort, from } = startOf(input.query, 'urgency');
      const grouped: GroupSort = GROUP_SORTS.find((each) => each === sort) ?? 'urgency';
      const filter = { ...filterOf(principal, input.query), state: 'open', sort: grouped, limit } as const;
      const found = await inbox.groups(reader, { ...filter, ...(from && { from }), limit: limit + 1 });
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      const firsts = page.map(({ first }) => first);
      const bodies = await show(reader, firsts, principal, { highlights: true });
      return {
        body: {
          groups: page.map(({ count }, at) => ({ count, first: bodies[at] as ItemBody })),
          total: await inbox.countGroups(reader, filter),
          items: await inbox.count(reader, filter),
          next: last === undefined ? null : cursorOf(last.place, grouped),
        },
      };
    },

    'inbox.counts': async (reader, { input, principal }) => {
      const { project, kind, risk, requested_by: agent, words, mine, aside } = input.query;
      if (project !== undefined) requireProject(principal, project);
      const base: ItemFilter = {
        viewer: viewerOf(principal),
        ...(words !== undefined && { words }),
        projects: principal.projects,
        state: 'open',
        limit: 0,
      };
      const narrowing = { project, kind, risk, agent };
      const mayDecide = decides(principal);
      const counted = async (more: Pick<ItemFilter, 'mine' | 'aside'>) =>
        facetsOf(
          mayDecide || !(more.mine || more.aside) ? await inbox.tally(reader, { ...base, ...more }) : [],
          narrowing,
        );
      const all = await counted({});
      const own = await counted({ mine: true });
      const put = await counted({ aside: true });
      const shownOf = aside ? put : mine ? own : all;
      return {
        body: {
          open: all.total,
          mine: own.total,
          aside: put.total,
          total: shownOf.total,
          by_risk: { low: 0, medium: 0, high: 0, critical: 0, ...shownOf.byRisk },
          by_kind: { ...shownOf.byKind },
          by_agent: { ...shownOf.byAgent },
          by_project: { ...shownOf.byProject },
        },
      };
    },

    'inbox.get': async (reader, { input, principal }) => {
      const item = await known(reader, input.path.id, principal);
      const details = await inbox.describe(reader, item, principal);
      const body = await shown(reader, item, principal);
      return { body: { ...body, ...(details && { details: toPlain(details) as ItemBody['details'] }) } };
    },

    'inbox.decide': async (uow, { input, principal, document }) => {
      const { decision, choice, digest, note, undo_seconds: undoSeconds } = input.body;
      const edits = editsOf(document);
      const { item } = await inbox.decide(uow, {
        itemId: input.path.id,
        decision,
        digest,
        principal,
        ...(choice !== undefined && { choice }),
        ...(note !== undefined && { note }),
        ...(edits !== undefined && { edits }),
        ...(undoSeconds !== undefined && { undoSeconds }),
      });
      return { body: await shown(uow, item, principal) };
    },

    'inbox.decide_many': async ({ input, principal }) => ({
      body: await decideMany(db, inbox, show, principal, input.body),
    }),

    'inbox.undo': async (uow, { input, principal }) => ({
      body: await shown(uow, await inbox.undo(uow, input.path.id, principal), principal),
    }),

    'inbox.defer': async (uow, { input, principal }) => {
      const until = parseInstant(input.body.until)?.micros;
      if (until === undefined) throw inboxErrors.deferred_too_far({ pointer: '/until' });
      await known(uow, input.path.id, principal);
      const item = await inbox.setAside(uow, input.path.id, principal, { until });
      return { body: await shown(uow, item, principal) };
    },

    'inbox.delegate': async (uow, { input, principal }) => {
      const item = await known(uow, input.path.id, principal);
      const to = await requireTaker(uow, { inbox, clock }, item, {
        from: principal.actor,
        to: input.body.to,
      });
      await inbox.setAside(uow, item.itemId, principal, { to });
      return { body: await shown(uow, item, principal) };
    },

    'inbox.bring_back': async (uow, { input, principal }) => {
      await known(uow, input.path.id, principal);
      return { body: await shown(uow, await inbox.bringBack(uow, input.path.id, principal), principal) };
    },
  };
}

interface NarrowingQuery {
  readonly project?: string | undefined;
  readonly kind?: string | undefined;
  readonly risk?: Risk | undefined;
  readonly requested_by?: string | undefined;
  readonly words?: string | undefined;
  readonly mine?: boolean | undefined;
  readonly aside?: boolean | undefined;
}

function filterOf(principal: Principal, query: NarrowingQuery): Omit<ItemFilter, 'limit'> {
  const { project, kind, risk, requested_by: requestedBy, words, mine, aside } = query;
  if (project !== undefined) requireProject(principal, project);
  const nothing = (mine || aside) && !decides(principal);
  return {
    projects: nothing ? [] : project === undefined ? principal.projects : [project],
    viewer: viewerOf(principal),
    ...(mine !== undefined && !aside && { mine }),
    ...(aside !== undefined && { aside }),
    ...(kind !== undefined && { kind }),
    ...(risk !== undefined && { risk }),
    ...(requestedBy !== undefined && { requestedBy }),
    ...(words !== undefined && { words }),
  };
}

interface Start {
  readonly sort: ItemSort;
  readonly from: Place | undefined;
}

function startOf(
  query: {
    readonly sort?: ItemSort | undefined;
    readonly after?: number | undefined;
    readonly cursor?: string | undefined;
  },
  first: ItemSort,
): Start {
  const [, sort, key, seq] = ITEM_CURSOR.exec(query.cursor ?? '') ?? [];
  if (sort !== undefined) return { sort: sort as ItemSort, from: { key: Number(key), seq: Number(seq) } };
  const { after } = query;
  if (after !== undefined) return { sort: 'oldest', from: { key: after, seq: after } };
  return { sort: query.sort ?? first, from: undefined };
}

function cursorOf({ key, seq }: Place, sort: ItemSort): string {
  return `${sort}.${key}.${seq}`;
}

/** As written: edits are hashed and applied with their numbers unchanged. */
function editsOf(document: JsonDocument | undefined): Json | undefined {
  return document && isJsonObject(document.value) ? document.value.edits : undefined;
}
