import type { Micros } from '../../../kernel/clock.ts';
import type { PayloadCodec } from '../../../spine/journal/events/payload-codec.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { parametersOf, responseOf } from '../sealed.ts';

export interface Execution {
  readonly executionId: string;
  readonly projectId: string;
  readonly sessionId: string;
  readonly requestId: string;
  readonly resolutionId: string;
  /** The Atlas whose definition of the action is run. */
  readonly atlasDigest: string;
  readonly actionId: string;
  readonly parametersHash: string;
  /** JSON text; dropped once the outcome is known. */
  readonly parameters: string;
  readonly idempotencyKey: string | null;
  readonly spanId: string;
  readonly started: Micros;
  /** Until then the process that started it may still be running it. */
  readonly lease: Micros;
}

/** Parameters and response are sealed under different names, so that neither can pass for the other. */
export async function insertExecution(
  uow: UnitOfWork,
  payloads: PayloadCodec,
  execution: Execution,
): Promise<void> {
  await uow.run(
    `insert into governance_executions (execution_id, project_id, session_id, request_id, resolution_id, atlas_digest,
       action_id, parameters_hash, parameters, idempotency_key, span_id, state, started_us, lease_us)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'running', ?, ?)`,
    [
      execution.executionId,
      execution.projectId,
      execution.sessionId,
      execution.requestId,
      execution.resolutionId,
      execution.atlasDigest,
      execution.actionId,
      execution.parametersHash,
      payloads.seal(execution.parameters, parametersOf(execution.executionId)),
      execution.idempotencyKey,
      execution.spanId,
      execution.started,
      execution.lease,
    ],
  );
}

/** Returns false if the outcome was recorded before, by this or another process. */
export async function finishExecution(
  uow: UnitOfWork,
  payloads: PayloadCodec,
  executionId: string,
  outcome: {
    readonly state: 'success' | 'error' | 'outcome_unknown';
    readonly at: Micros;
    readonly response: string;
  },
): Promise<boolean> {
  const changed = await uow.run(
    `update governance_executions set state = ?, finished_us = ?, response = ?, parameters = null
     where execution_id = ? and state = 'running'`,
    [outcome.state, outcome.at, payloads.seal(outcome.response, responseOf(executionId)), executionId],
  );
  return changed === 1;
}

export interface KeyedExecution {
  readonly parametersHash: string;
  readonly running: boolean;
  readonly response: string | null;
}

export async function selectByKey(
  reader: Reader,
  payloads: PayloadCodec,
  sessionId: string,
  actionId: string,
  key: string,
): Promise<KeyedExecution | undefined> {
  const row = await reader.get<{
    execution_id: string;
    parameters_hash: string;
    state: string;
    response: string | null;
  }>(
    `select execution_id, parameters_hash, state, response from governance_executions
     where session_id = ? and action_id = ? and idempotency_key = ?`,
    [sessionId, actionId, key],
  );
  return (
    row && {
      parametersHash: row.parameters_hash,
      running: row.state === 'running',
      response: row.response === null ? null : payloads.open(row.response, responseOf(row.execution_id)),
    }
  );
}

/** What an execution came from: its session and action, and the Atlas and parameters that were decided on. */
export async function selectExecutionOrigin(
  reader: Reader,
  projectId: string,
  executionId: string,
): Promise<ExecutionOrigin | undefined> {
  const row = await reader.get<ExecutionRow>(
    `select session_id, action_id, atlas_digest, parameters_hash, started_us from governance_executions
     where execution_id = ? and project_id = ?`,
    [executionId, projectId],
  );
  return (
    row && {
      sessionId: row.session_id,
      actionId: row.action_id,
      atlasDigest: row.atlas_digest,
      parametersHash: row.parameters_hash,
      started: row.started_us,
    }
  );
}

/** Executions from before what calls are decided by was recorded. */
export async function countUnrecorded(
  reader: Reader,
  { projectId, from, to }: { readonly projectId: string; readonly from: Micros; readonly to: Micros },
  sessionId: string | undefined,
): Promise<number> {
  const row = await reader.get<{ n: number }>(
    `select count(*) as n from governance_executions as e
     where project_id = ? and started_us >= ? and started_us < ?${sessionId === undefined ? '' : ' and session_id = ?'}
       and not exists (select 1 from governance_calls as c where c.execution_id = e.execution_id)`,
    [projectId, from, to, ...(sessionId === undefined ? [] : [sessionId])],
  );
  return row?.n ?? 0;
}

export type ExecutionOrigin = Pick<
  Execution,
  'sessionId' | 'actionId' | 'atlasDigest' | 'parametersHash' | 'started'
>;

interface ExecutionRow {
  readonly execution_id: string;
  readonly project_id: string;
  readonly session_id: string;
  readonly request_id: string;
  readonly resolution_id: string;
  readonly atlas_digest: string;
  readonly action_id: string;
  readonly parameters_hash: string;
  readonly parameters: string | null;
  readonly idempotency_key: string | null;
  readonly span_id: string;
  readonly started_us: number;
  readonly lease_us: number;
}

/** Takes over what a dead process left running; a longer lease keeps others away. */
export async function takeAbandoned(
  uow: UnitOfWork,
  payloads: PayloadCodec,
  now: Micros,
  lease: Micros,
  limit: number,
): Promise<Execution[]> {
  const rows = await uow.all<ExecutionRow>(
    `select execution_id, project_id, session_id, request_id, resolution_id, atlas_digest, action_id, parameters_hash,
       parameters, idempotency_key, span_id, started_us, lease_us
     from governance_executions where state = 'running' and lease_us <= ? order by lease_us limit ?`,
    [now, limit],
  );
  const taken: Execution[] = [];
  for (const row of rows) {
    const changed = await uow.run(
      `update governance_executions set lease_us = ? where execution_id = ? and state = 'running' and lease_us = ?`,
      [lease, row.execution_id, row.lease_us],
    );
    if (changed === 1) taken.push(executionOf(row, payloads));
  }
  return taken;
}

function executionOf(row: ExecutionRow, payloads: PayloadCodec): Execution {
  return {
    executionId: row.execution_id,
    projectId: row.project_id,
    sessionId: row.session_id,
    requestId: row.request_id,
    resolutionId: row.resolution_id,
    atlasDigest: row.atlas_digest,
    actionId: row.action_id,
    parametersHash: row.parameters_hash,
    parameters:
      row.parameters === null ? '{}' : payloads.open(row.parameters, parametersOf(row.execution_id)),
    idempotencyKey: row.idempotency_key,
    spanId: row.span_id,
    started: row.started_us,
    lease: row.lease_us,
  };
}
