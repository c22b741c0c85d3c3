import { readJson } from '../../../kernel/json/reader.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { selectSession } from '../../../spine/identity/sessions/session-store.ts';
import type { Action } from '../atlases/schema.ts';
import { refundExecution } from '../policies/store.ts';
import type { GovernanceDeps } from '../ports.ts';
import type { ReadCarpRequest } from '../resolution/admission.ts';
import { traceSpan } from '../traces/span.ts';
import { admitExecution } from './admit.ts';
import { ranAnswer } from './answer.ts';
import { type RunOutcome, runExecutor } from './executors.ts';
import type { ExecuteResponse } from './schema.ts';
import { type Execution, finishExecution, takeAbandoned } from './store.ts';

export interface Executed {
  readonly status: number;
  readonly body: ExecuteResponse;
  readonly retryAfter?: number;
}

/** Intent, effect, outcome: two units with the executor between them, outside any transaction. */
export async function executeRequest(
  deps: GovernanceDeps,
  principal: Principal,
  body: ReadCarpRequest,
): Promise<Executed> {
  const admission = await deps.db.write((uow) => admitExecution(uow, deps, principal, body));
  if (admission.kind === 'refused') throw admission.error;
  if (admission.kind === 'answer') return admission;
  const { execution, action, session, parameters } = admission.accepted;
  const outcome = await runAction(deps, action.action, execution, parameters, session.agentId);
  return { status: 200, body: await recordOutcome(deps, execution, outcome) };
}

function runAction(
  { executors }: GovernanceDeps,
  action: Action,
  { executionId, actionId, sessionId, projectId, idempotencyKey }: Execution,
  parameters: JsonObject,
  agentId: string | null | undefined,
): Promise<RunOutcome> {
  const call = { executionId, actionId, parameters, sessionId, projectId, idempotencyKey };
  const timeout = action.timeout_seconds ?? 30;
  return runExecutor(executors, action.executor, { ...call, agentId: agentId ?? '' }, timeout);
}

async function recordOutcome(
  deps: GovernanceDeps,
  execution: Execution,
  outcome: RunOutcome,
): Promise<ExecuteResponse> {
  return deps.db.write(async (uow) => {
    const session = await selectSession(uow, execution.sessionId);
    if (!session) throw new Error(`session ${execution.sessionId} of a running execution is gone`);
    const now = deps.clock.now();
    const answer = ranAnswer({ ...execution, traceId: session.traceId, now }, outcome);
    const unknown = !outcome.ok && outcome.code === 'OUTCOME_UNKNOWN';
    const state = outcome.ok ? 'success' : unknown ? 'outcome_unknown' : 'error';
    const first = await finishExecution(uow, deps.payloads, execution.executionId, {
      state,
      at: now,
      response: JSON.stringify(answer),
    });
    if (!first) return answer;
    const span = traceSpan(uow, deps.journal, session, execution.spanId);
    if (outcome.ok) {
      await span.emit('action.executed', {
        action_id: execution.actionId,
        execution_id: execution.executionId,
        duration_ms: Math.max(0, Math.floor((now - execution.started) / 1000)),
      });
    } else {
      await span.emit('action.failed', {
        action_id: execution.actionId,
        error_code: outcome.code,
        error_message: deps.settings.redact(outcome.message),
      });
      if (!unknown) await refundExecution(uow, execution.executionId);
    }
    return answer;
  });
}

const RECOVERED_AT_ONCE = 20;
const RECOVERY_LEASE_SECONDS = 330;

/**
 * Closes what a dead process left running, and answers how many there were. An idempotent action is executed again; the
 * outcome of any other is recorded as unknown.
 */
export async function recoverExecutions(deps: GovernanceDeps): Promise<number> {
  const now = deps.clock.now();
  const abandoned = await deps.db.write((uow) =>
    takeAbandoned(uow, deps.payloads, now, now + RECOVERY_LEASE_SECONDS * 1_000_000, RECOVERED_AT_ONCE),
  );
  for (const execution of abandoned) {
    const atlas = await deps.db.read((reader) => deps.sets.find(reader, execution.atlasDigest));
    const action = atlas?.manifest.actions?.find(({ action_id: id }) => id === execution.actionId);
    const session = await deps.db.read((reader) => selectSession(reader, execution.sessionId));
    const outcome: RunOutcome = action?.idempotent
      ? await runAction(
          deps,
          action,
          execution,
          readJson(execution.parameters) as JsonObject,
          session?.agentId,
        )
      : {
          ok: false,
          code: 'OUTCOME_UNKNOWN',
          message: 'The server stopped while the action ran; it is not known whether it took effect.',
        };
    await recordOutcome(deps, execution, outcome);
  }
  return abandoned.length;
}
