import { by, type Provenance, type Source, source, thing } from '../../spine/journal/provenance.ts';

interface SpanRow {
  readonly project_id: string;
  readonly parent_span_id: string | null;
  readonly session_id: string | null;
}

/** In the order in which they are looked into. */
const TABLES = [
  ['task', 'relay_tasks'],
  ['span', 'relay_spans'],
] as const;

const SPAN_ID = /^[0-9a-f]{16}$/;

/** Messages are spans, tasks are rows: most of what the relay knows stands in neither chain. */
export const relayProvenance: Provenance = {
  account({ event_type, payload }) {
    switch (event_type) {
      case 'peer.registered':
        return { words: 'registered', about: thing('peer', payload.peer_id), from: [] };
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
      const task = await reader.get<{ peer_id: string; span_id: string }>(
        'select peer_id, span_id from relay_tasks where project_id = ? and task_id = ? order by opened_us limit 1',
        [projectId, id],
      );
      return task ? [...source('span', 'span', task.span_id), ...source('peer', 'peer', task.peer_id)] : [];
    }
    if (kind !== 'span') return [];
    const span = await reader.get<SpanRow>(
      'select project_id, parent_span_id, session_id from relay_spans where project_id = ? and span_id = ? order by seq limit 1',
      [projectId, id],
    );
    return span ? sourcesOfSpan(span) : [];
  },

  async find(reader, projects, id) {
    if (projects !== 'all' && projects.length === 0) return undefined;
    const within = projects === 'all' ? '' : ` and project_id in (${projects.map(() => '?').join(', ')})`;
    const params = [id, ...(projects === 'all' ? [] : projects)];
    for (const [kind, table] of SPAN_ID.test(id) ? TABLES : TABLES.slice(0, 1)) {
      const row = await reader.get<{ project_id: string }>(
        `select project_id from ${table} where ${kind}_id = ?${within} order by project_id limit 1`,
        params,
      );
      if (row) return { kind, id, projectId: row.project_id };
    }
    return undefined;
  },
};

function sourcesOfSpan({ parent_span_id, session_id }: SpanRow): Source[] {
  return [
    ...source('parent', 'span', parent_span_id ?? undefined),
    ...source('session', 'session', session_id ?? undefined),
  ];
}
