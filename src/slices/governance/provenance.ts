import { isJsonObject, type Json } from '../../kernel/json/value.ts';
import { grantsScope } from '../../spine/identity/scopes.ts';
import { isSessionOwner } from '../../spine/identity/sessions/session-access.ts';
import { selectSession } from '../../spine/identity/sessions/session-store.ts';
import {
  by,
  type HeldRow,
  listOf,
  type Provenance,
  type RowsAsked,
  type Source,
  source,
  thing,
} from '../../spine/journal/provenance.ts';
import type { Reader } from '../../spine/storage/database.ts';
import { selectUsed, selectUsesOf } from './approvals/grant-store.ts';
import { selectApprovalSession } from './approvals/store.ts';
import { selectLoadBefore, selectLoadsNamed } from './atlases/store.ts';
import { selectExecutionOrigin } from './execution/store.ts';
import { selectResolutionSession } from './resolution/store.ts';

/** Events of one CARP request share its span, so they are all about that request. */
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
      case 'approval.granted':
        return {
          words: `granted ${listOf(payload.action_ids).join(', ')} to ${payload.agent_id}: ${payload.covers}`,
          about: thing('item', payload.approval_id),
          from: source('rule', 'policy', payload.policy_id),
        };
      case 'approval.spent':
        return {
          words: `used up by ${payload.used_by}`,
          about: thing('item', payload.approval_id),
          from: [],
        };
      case 'approval.used':
        return {
          words: `used by ${payload.used_by}`,
          about: thing('item', payload.approval_id),
          from: [],
        };
      case 'approval.revoked':
        return {
          words: 'revoked',
          about: thing('item', payload.approval_id),
          from: [],
        };
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

  rows: rowsOf,

  async effects(reader, projectId, things, limit) {
    const items = things.filter(({ kind }) => kind === 'item').map(({ id }) => id);
    if (items.length === 0) return [];
    const uses = await selectUsesOf(reader, projectId, items, limit);
    return uses.map(({ approval_id, used_by }) => ({
      of: { kind: 'item', id: approval_id },
      to: { kind: 'execution', id: used_by },
      as: 'approval',
    }));
  },
};

/** Parameters, results and goals are their session's: whoever could not read its trace is not shown them here. */
async function rowsOf(reader: Reader, asked: RowsAsked): Promise<HeldRow[]> {
  const { projectId, thing } = asked;
  switch (thing.kind) {
    case 'execution': {
      const origin = await selectExecutionOrigin(reader, projectId, thing.id);
      return ofSession(reader, asked, origin?.sessionId, [['governance_executions', [thing.id]]]);
    }
    case 'resolution': {
      const sessionId = await selectResolutionSession(reader, projectId, thing.id);
      return ofSession(reader, asked, sessionId, [['governance_resolutions', [thing.id]]]);
    }
    case 'item': {
      const sessionId = await selectApprovalSession(reader, projectId, thing.id);
      return ofSession(reader, asked, sessionId, [
        ['governance_approvals', [thing.id]],
        ['governance_grants', [thing.id]],
      ]);
    }
    case 'atlas':
      return rowsOfAtlas(reader, asked);
    default:
      return [];
  }
}

async function ofSession(
  reader: Reader,
  { principal }: RowsAsked,
  sessionId: string | undefined,
  rows: readonly (readonly [table: string, key: HeldRow['key']])[],
): Promise<HeldRow[]> {
  const session = sessionId === undefined ? undefined : await selectSession(reader, sessionId);
  const shown = session !== undefined && isSessionOwner(principal, session);
  return rows.map(([table, key]) => ({ table, key, shown }));
}

/** Every load of that version, and what was loaded. */
async function rowsOfAtlas(reader: Reader, { principal, projectId, thing }: RowsAsked): Promise<HeldRow[]> {
  const shown = grantsScope(principal.scopes, 'atlas:read');
  const at = thing.id.lastIndexOf('@');
  const name = { atlasId: thing.id.slice(0, at), version: thing.id.slice(at + 1) };
  const loads = await selectLoadsNamed(reader, projectId, name);
  return loads.flatMap(({ loadId, digest }) => [
    { table: 'governance_atlas_loads', key: [loadId], shown },
    { table: 'governance_atlas_contents', key: [digest], shown },
  ]);
}

/** The Atlas that was in force, and the approvals that the execution passed by: one for each policy that wanted one. */
async function sourcesOfExecution(reader: Reader, projectId: string, executionId: string): Promise<Source[]> {
  const execution = await selectExecutionOrigin(reader, projectId, executionId);
  if (!execution) return [];
  const { sessionId, atlasDigest, started } = execution;
  const atlas = await selectLoadBefore(reader, projectId, atlasDigest, started);
  const approvals = await selectUsed(reader, executionId);
  return [
    ...approvals.flatMap((approvalId) => source('approval', 'item', approvalId)),
    ...(atlas ? source('atlas', 'atlas', `${atlas.atlasId}@${atlas.version}`) : []),
    ...source('session', 'session', sessionId),
  ];
}

function nameOf(atlas: Json): string | undefined {
  return isJsonObject(atlas) ? `${atlas.atlas_id}@${atlas.version}` : undefined;
}
