import { isJsonObject, type Json } from '../../kernel/json/value.ts';
import { by, listOf, type Provenance, type Source, source, thing } from '../../spine/journal/provenance.ts';
import type { Reader } from '../../spine/storage/database.ts';

/** Events of one CARP request share its span: the request is what they are all about. */
export const governanceProvenance: Provenance = {
  account({ event_type, payload, span_id }) {
    const request = thing('request', span_id);
    const ofRequest = source('request', 'request', span_id);
    switch (event_type) {
      case 'carp.request.received':
        return {
          words: `asked by CARP: ${payload.operation}`,
          about: request,
          from: [],
          ...by(payload.agent_id),
        };
      case 'policy.evaluated':
        return {
          words: `policy ${payload.policy_id}: ${payload.result} ${payload.action_id}${payload.effect === undefined ? '' : ` (${payload.effect})`}`,
          about: request,
          from: source('rule', 'policy', payload.policy_id),
        };
      case 'carp.resolution.completed':
        return {
          words: `resolved: ${payload.decision_type}`,
          about: thing('resolution', payload.resolution_id),
          from: ofRequest,
        };
      case 'resolution.handed':
        return {
          words: 'was handed the resolution',
          about: thing('resolution', payload.resolution_id),
          from: listOf(payload.atlases).flatMap((atlas) => source('atlas', 'atlas', nameOf(atlas))),
        };
      case 'action.requested':
        return { words: `requested ${payload.action_id}`, about: request, from: [] };
      case 'action.approved':
        return {
          words: `${payload.action_id} is allowed`,
          about: request,
          from: source('resolution', 'resolution', payload.resolution_id),
        };
      case 'action.denied':
        return {
          words: `${payload.action_id} is denied`,
          about: request,
          from: source('rule', 'policy', payload.policy_id),
        };
      case 'action.executed':
        return {
          words: `executed ${payload.action_id}`,
          about: thing('execution', payload.execution_id),
          from: ofRequest,
        };
      case 'action.failed':
        return { words: `${payload.action_id} failed: ${payload.error_code}`, about: request, from: [] };
      case 'atlas.loaded':
        return {
          words: `loaded to ${payload.mode}`,
          about: thing('atlas', nameOf(payload)),
          from: [],
        };
      default:
        return undefined;
    }
  },

  async sources(reader, projectId, { kind, id }) {
    return kind === 'execution' ? sourcesOfExecution(reader, projectId, id) : [];
  },
};

/** The Atlas that was in force, and the approvals that let this action of this session through. */
async function sourcesOfExecution(reader: Reader, projectId: string, executionId: string): Promise<Source[]> {
  const row = await reader.get<{
    session_id: string;
    action_id: string;
    atlas_digest: string;
    parameters_hash: string;
    started_us: number;
  }>(
    `select session_id, action_id, atlas_digest, parameters_hash, started_us from governance_executions
     where execution_id = ? and project_id = ?`,
    [executionId, projectId],
  );
  if (!row) return [];
  const atlas = await reader.get<{ atlas_id: string; version: string }>(
    `select atlas_id, version from governance_atlas_loads where project_id = ? and digest = ?
     and loaded_us <= ? order by load_id desc limit 1`,
    [projectId, row.atlas_digest, row.started_us],
  );
  const approvals = await reader.all<{ approval_id: string; action_ids: string }>(
    `select approval_id, action_ids from governance_approvals
     where session_id = ? and status = 'approved' and requested_us <= ?
       and (covers = 'session' or parameters_hash = ?)
     order by requested_us desc limit 20`,
    [row.session_id, row.started_us, row.parameters_hash],
  );
  return [
    ...approvals
      .filter(({ action_ids }) => (JSON.parse(action_ids) as string[]).includes(row.action_id))
      .slice(0, 1)
      .flatMap(({ approval_id }) => source('approval', 'item', approval_id)),
    ...(atlas ? source('atlas', 'atlas', `${atlas.atlas_id}@${atlas.version}`) : []),
    ...source('session', 'session', row.session_id),
  ];
}

function nameOf(atlas: Json): string | undefined {
  return isJsonObject(atlas) ? `${atlas.atlas_id}@${atlas.version}` : undefined;
}
