import { readJson } from '../../../kernel/json/reader.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { selectSession } from '../../../spine/identity/sessions/session-store.ts';
import type { WriteOptions } from '../../../spine/storage/database.ts';
import type { Action } from '../atlases/schema.ts';
import { refundExecution } from '../policies/store.ts';
import type { GovernanceDeps } from '../ports.ts';
import type { ReadCarpRequest } from '../resolution/admission.ts';
import { traceSpan } from '../traces/span.ts';
import { type AdmissionTerms, admitExecution } from './admit.ts';
import { ranAnswer } from './answer.ts';
import { type Executor, GATEWAY_EXECUTOR, type RunOutcome, runExecutor } from './executors.ts';
import type { ExecuteResponse } from './schema.ts';
import { type Execution, finishExecution, takeAbandoned } from './store.ts';

export interface Executed {
  readonly status: number;
  readonly body: ExecuteResponse;
  readonly retryAfter?: number;
}

/** How whoever embeds an execution has it run. */
export interface ExecutionTerms extends AdmissionTerms {
  /** Runs the action instead of the executor that it names. */
  readonly executor?: Executor;
  /** When the recorded intent is on the disk: before the effect unless said otherwise. */
  readonly flush?: WriteOptions['flush'];
  /** Takes over recording the outcome, which then need not be waited for. */
  readonly later?: (record: () => Promise<unknown>) => void;
}

/** Intent, effect, outcome: two units with the executor between them, outside any transaction. */
export async function executeRequest(
  deps: GovernanceDeps,
  principal: Principal,
  body: ReadCarpRequest,
  terms: ExecutionTerms = {},
): Promise<Executed> {
  const admission = await deps.db.write(
    (uow) => admitExecution(uow, deps, principal, body, terms),
    terms.flush && { flush: terms.flush },
  );
  if (admission.kind === 'refused') throw admission.error;
  if (admission.kind === 'answer') return admission;
  const { execution, action, session, parameters } = admission.accepted;
  const agentId = session.agentId ?? '';
  const outcome = await runAction(deps, action.action, execution, { parameters, agentId }, terms);
  if (!terms.later) return { status: 200, body: await recordOutcome(deps, execution, outcome) };
  terms.later(() => recordOutcome(deps, execution, outcome, { flush: 'soon' }));
  const { traceId } = session;
  return { status: 200, body: ranAnswer({ ...execution, traceId, now: deps.clock.now() }, outcome) };
}

function runAction(
  { executors }: GovernanceDeps,
  action: Action,
  { executionId, actionId, sessionId, projectId, idempotencyKey }: Execution,
  about: { readonly parameters: JsonObject; readonly agentId: string },
  terms: Pick<ExecutionTerms, 'executor' | 'timeoutSeconds'> = {},
): Promise<RunOutcome> {
  const call = { executionId, actionId, sessionId, projectId, idempotencyKey, ...about };
  const timeout = terms.timeoutSeconds ?? action.timeout_seconds ?? 30;
  return runExecutor(terms.executor ?? executors.find(action.executor), call, timeout);
}

async function recordOutcome(
  deps: GovernanceDeps,
  execution: Execution,
  outcome: RunOutcome,
  options?: WriteOptions,
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
  }, options);
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
    // The tool of a gateway can be run by the gateway alone.
    const repeats = action?.idempotent && !action.executor?.startsWith(GATEWAY_EXECUTOR);
    const outcome: RunOutcome = repeats
      ? await runAction(deps, action, execution, {
          parameters: readJson(execution.parameters) as JsonObject,
          agentId: session?.agentId ?? '',
        })
      : {
          ok: false,
          code: 'OUTCOME_UNKNOWN',
          message: 'The server stopped while the action ran; it is not known whether it took effect.',
        };
    await recordOutcome(deps, execution, outcome);
  }
  return abandoned.length;
}
