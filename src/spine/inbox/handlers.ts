import type { Clock } from '../../kernel/clock.ts';
import { toPlain } from '../../kernel/json/plain.ts';
import type { JsonDocument } from '../../kernel/json/reader.ts';
import { isJsonObject, type Json } from '../../kernel/json/value.ts';
import { canSeeProject, requireProject } from '../identity/access.ts';
import type { Handlers } from '../operations/handler.ts';
import { inboxErrors } from './errors.ts';
import type { Inbox } from './inbox.ts';
import { type InboxItem, stateAt } from './item.ts';
import type { inboxOperations } from './operations.ts';
import type { itemSchema } from './schema.ts';

const DEFAULT_LIMIT = 50;

type ItemBody = (typeof itemSchema)['_output'];

export function createInboxHandlers(inbox: Inbox, clock: Clock): Handlers<typeof inboxOperations> {
  const shown = (item: InboxItem): ItemBody => ({
    ...itemBody(item, clock.now()),
    needs_presence: inbox.needsPresence(item),
  });
  return {
    'inbox.list': async (reader, { input, principal }) => {
      const { project, state = 'open', kind, risk, requested_by, after, limit = DEFAULT_LIMIT } = input.query;
      if (project !== undefined) requireProject(principal, project);
      const items = await inbox.list(reader, {
        projects: project === undefined ? principal.projects : [project],
        state,
        limit,
        ...(kind !== undefined && { kind }),
        ...(risk !== undefined && { risk }),
        ...(requested_by !== undefined && { requestedBy: requested_by }),
        ...(after !== undefined && { after }),
      });
      return { body: { items: items.map(shown) } };
    },

    'inbox.get': async (reader, { input, principal }) => {
      const item = await inbox.get(reader, input.path.id);
      if (!item || !canSeeProject(principal, item.projectId)) {
        throw inboxErrors.item_not_found({ details: { id: input.path.id } });
      }
      const details = await inbox.describe(reader, item, principal);
      return {
        body: { ...shown(item), ...(details && { details: toPlain(details) as ItemBody['details'] }) },
      };
    },

    'inbox.decide': async (uow, { input, principal, document }) => {
      const { decision, digest, note } = input.body;
      const edits = editsOf(document);
      const { item } = await inbox.decide(uow, {
        itemId: input.path.id,
        decision,
        digest,
        principal,
        ...(note !== undefined && { note }),
        ...(edits !== undefined && { edits }),
      });
      return { body: shown(item) };
    },
  };
}

/** As written: edits are hashed and applied with their numbers unchanged. */
function editsOf(document: JsonDocument | undefined): Json | undefined {
  return document && isJsonObject(document.value) ? document.value.edits : undefined;
}

function itemBody(item: InboxItem, now: number): Omit<ItemBody, 'needs_presence'> {
  const { decision } = item;
  return {
    id: item.itemId,
    seq: item.seq,
    kind: item.kind,
    project_id: item.projectId,
    state: stateAt(item, now),
    title: item.title,
    requested_by: item.requestedBy,
    subject: item.subject,
    digest: item.digest,
    rule: item.rule,
    risk: item.risk,
    opened_at: item.openedAt,
    expires_at: item.expiresAt,
    unblocks: [...item.unblocks],
    edits_allowed: item.editsAllowed,
    humans_only: item.humansOnly,
    decision: decision && {
      decision: decision.decision,
      decided_by: decision.decidedBy,
      credential: decision.credential,
      decided_at: decision.decidedAt,
      note: decision.note,
    },
    reason: item.reason,
  };
}
