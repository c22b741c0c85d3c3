import { grantsScope } from '../../spine/identity/scopes.ts';
import { by, type Provenance, source, thing } from '../../spine/journal/provenance.ts';
import { selectReplayedIn } from './replays/store.ts';
import { selectSpanLinks, selectSpanProject, selectSpanSeqs } from './spans/store.ts';
import { selectTaskOwner, selectTaskProject } from './tasks/store.ts';

const SPAN_ID = /^[0-9a-f]{16}$/;

/** Messages are spans and tasks are rows: most of what the relay knows is in no chain. */
export const relayProvenance: Provenance = {
  account({ event_type, payload }) {
    switch (event_type) {
      case 'peer.registered':
        return { words: 'registered', about: thing('peer', payload.peer_id), from: [] };
      case 'peer.card_seen':
        return { words: 'showed another card', about: thing('peer', payload.peer_id), from: [] };
      case 'peer.removed':
        return { words: 'removed', about: thing('peer', payload.peer_id), from: [] };
      case 'peer.refused':
        return { words: 'refused', about: thing('peer', payload.peer_id), from: [], ...by(payload.sender) };
      default:
        return undefined;
    }
  },

  async sources(reader, projectId, { kind, id }) {
    if (kind === 'task') {
      const task = await selectTaskOwner(reader, projectId, id);
      return task ? [...source('span', 'span', task.span_id), ...source('peer', 'peer', task.peer_id)] : [];
    }
    if (kind !== 'span') return [];
    const span = await selectSpanLinks(reader, projectId, id);
    if (!span) return [];
    const replayed = await selectReplayedIn(reader, projectId, span.trace_id);
    return [
      ...source('replay of', 'span', replayed?.span_id),
      ...source('parent', 'span', span.parent_span_id ?? undefined),
      ...source('session', 'session', span.session_id ?? undefined),
    ];
  },

  async rows(reader, { principal, projectId, thing: { kind, id } }) {
    // Of a peer nobody is shown more than the digest: its row holds how to reach it.
    if (kind === 'peer') return [{ table: 'relay_peers', key: [projectId, id], shown: false }];
    const shown = grantsScope(principal.scopes, 'trace:read');
    if (kind === 'span') {
      const seqs = await selectSpanSeqs(reader, projectId, id);
      return seqs.map((seq) => ({ table: 'relay_spans', key: [seq], shown }));
    }
    const task = kind === 'task' ? await selectTaskOwner(reader, projectId, id) : undefined;
    return task ? [{ table: 'relay_tasks', key: [projectId, id, task.peer_id], shown: false }] : [];
  },

  async find(reader, projects, id) {
    if (projects !== 'all' && projects.length === 0) return undefined;
    const ofTask = await selectTaskProject(reader, projects, id);
    if (ofTask !== undefined) return { kind: 'task', id, projectId: ofTask };
    const ofSpan = SPAN_ID.test(id) ? await selectSpanProject(reader, projects, id) : undefined;
    return ofSpan === undefined ? undefined : { kind: 'span', id, projectId: ofSpan };
  },
};
