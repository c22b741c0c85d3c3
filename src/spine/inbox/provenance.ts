import { isOwner } from '../identity/access.ts';
import { grantsScope } from '../identity/scopes.ts';
import { by, type Provenance, source, thing } from '../journal/provenance.ts';
import { isAsker } from './rules.ts';
import { readItem, selectApprovedSubjects, selectItemIdsAbout } from './store.ts';

const ENDED: Readonly<Record<string, string>> = {
  'inbox.applied': 'took effect',
  'inbox.failed': 'could not take effect',
  'inbox.superseded': 'was overtaken',
  'inbox.expired': 'expired undecided',
};

const ITEMS_OF_A_SUBJECT = 10;

/** Items call a few subjects by other names than the rest of the house. */
const KIND_OF_SUBJECT: Readonly<Record<string, string>> = { action: 'any' };

export const inboxProvenance: Provenance = {
  account({ event_type, payload }) {
    const about = thing('item', payload.item_id);
    switch (event_type) {
      case 'inbox.opened':
        return {
          words: `asked a person: ${payload.kind}, risk ${payload.risk}`,
          about,
          from: [
            ...source('rule', 'policy', payload.rule),
            ...source(
              'subject',
              KIND_OF_SUBJECT[String(payload.subject_type)] ?? String(payload.subject_type),
              payload.subject_id,
            ),
          ],
          ...by(payload.requested_by),
        };
      case 'inbox.agreed':
        return {
          words: `agreed, as one of ${payload.quorum} who must, known by ${payload.credential}`,
          about,
          from: [],
          ...by(payload.agreed_by),
        };
      case 'inbox.decided':
        return {
          words: `decided: ${payload.decision}, known by ${payload.credential}`,
          about,
          from: [],
          ...by(payload.decided_by),
        };
      case 'inbox.undone':
        return { words: 'took the decision back', about, from: [], ...by(payload.undone_by) };
      case 'inbox.reopened':
        return { words: 'was opened again: its decision could not take effect', about, from: [] };
      case 'inbox.set_aside':
        return {
          words:
            typeof payload.handed_to === 'string'
              ? `handed to ${payload.handed_to}`
              : `deferred to ${payload.until}`,
          about,
          from: [],
          ...by(payload.set_aside_by),
        };
      case 'inbox.brought_back':
        return { words: 'brought back', about, from: [], ...by(payload.brought_back_by) };
      default:
        return ENDED[event_type] === undefined ? undefined : { words: ENDED[event_type], about, from: [] };
    }
  },

  /** The decisions that were requested about a thing. */
  async sources(reader, projectId, { kind, id }) {
    const itemIds = await selectItemIdsAbout(reader, projectId, { type: kind, id }, ITEMS_OF_A_SUBJECT);
    return itemIds.flatMap((itemId) => source('approval', 'item', itemId));
  },

  async effects(reader, projectId, things) {
    const items = things.filter(({ kind }) => kind === 'item').map(({ id }) => id);
    if (items.length === 0) return [];
    const subjects = await selectApprovedSubjects(reader, projectId, items);
    return subjects.map(({ item_id, subject_type, subject_id }) => ({
      of: { kind: 'item', id: item_id },
      to: { kind: subject_type, id: subject_id },
      as: 'approval',
    }));
  },

  /** What is about a person is shown to whoever asked for it and to the owner; its title is never more than a salted hash. */
  async rows(reader, { principal, projectId, thing: { kind, id } }) {
    const item = kind === 'item' ? await readItem(reader, id) : undefined;
    if (item === undefined || item.projectId !== projectId) return [];
    const private_ = item.personal && !isAsker(item, principal) && !isOwner(principal);
    const shown = grantsScope(principal.scopes, 'inbox:read') && !private_;
    return [{ table: 'inbox_items', key: [id], shown }];
  },
};
