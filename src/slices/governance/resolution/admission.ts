import type { Micros } from '../../../kernel/clock.ts';
import { BatonError } from '../../../kernel/error.ts';
import { parseInstant } from '../../../kernel/instant.ts';
import type { JsonDocument } from '../../../kernel/json/reader.ts';
import { isJsonObject, type JsonObject } from '../../../kernel/json/value.ts';
import { canSeeProject, mayActAs } from '../../../spine/identity/access.ts';
import { identityErrors } from '../../../spine/identity/errors.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { bindAgent } from '../../../spine/identity/sessions/bound-agent.ts';
import type { Session } from '../../../spine/identity/sessions/session.ts';
import {
  requireActiveSession,
  requireSessionOwner,
  visibleSession,
} from '../../../spine/identity/sessions/session-access.ts';
import { selectSession } from '../../../spine/identity/sessions/session-store.ts';
import { voiceFault } from '../../../spine/identity/voice.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { governanceErrors } from '../errors.ts';
import type { GovernanceDeps } from '../ports.ts';
import { issuesOf } from '../schema.ts';
import type { TraceSpan } from '../traces/span.ts';
import { type CarpRequest, carpRequestSchema } from './schema.ts';
import { claimRequest } from './store.ts';

/** A CARP request as the typed view and as it was written. */
export interface ReadCarpRequest {
  readonly request: CarpRequest;
  /** The parameters as they were written, for hashing and passing on. */
  readonly parameters: JsonObject;
}

export function readCarpRequest(
  document: JsonDocument | undefined,
  operations: readonly CarpRequest['operation'][],
): ReadCarpRequest {
  const value = document?.value;
  const parsed = carpRequestSchema.safeParse(document?.plain);
  if (!parsed.success) {
    const issues = issuesOf(parsed.error);
    throw governanceErrors.invalid_carp_request({
      message: `${issues[0]?.message ?? 'Invalid'} at ${issues[0]?.pointer || 'the top'} of the request.`,
      pointer: issues[0]?.pointer ?? '',
      details: { issues: issues.slice(0, 20) },
    });
  }
  if (!operations.includes(parsed.data.operation)) {
    throw governanceErrors.invalid_carp_request({
      message: `This endpoint accepts the operation ${operations.join(' or ')}, not ${parsed.data.operation}.`,
      pointer: '/operation',
    });
  }
  const execution = isJsonObject(value) ? value.execution : undefined;
  const parameters = isJsonObject(execution) ? execution.parameters : undefined;
  return { request: parsed.data, parameters: isJsonObject(parameters) ? parameters : {} };
}

/** Checks whose session it is and whether it may still act. A session without a goal becomes CRA's here. */
export async function admitSession(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  principal: Principal,
  request: CarpRequest,
): Promise<Session> {
  const { requester } = request;
  const session = await visibleSession(uow, principal, requester.session_id.toLowerCase());
  requireSessionOwner(principal, session);
  if (session.agentId !== null && session.agentId !== requester.agent_id) {
    const pointer = '/requester/agent_id';
    throw identityErrors.session_not_owned(
      mayActAs(principal, requester.agent_id)
        ? { message: 'The session belongs to another agent.', pointer }
        : voiceFault(principal, requester.agent_id, pointer),
    );
  }
  if (session.boundAgent !== null && !mayActAs(principal, session.boundAgent)) {
    throw identityErrors.session_not_owned(voiceFault(principal, session.boundAgent, '/requester/agent_id'));
  }
  requireActiveSession(session);
  const parent = requester.parent_session_id;
  if (parent !== null && parent !== undefined) {
    const found = await visibleSession(uow, principal, parent.toLowerCase());
    if (found.projectId !== session.projectId) {
      throw identityErrors.session_not_found({ pointer: '/requester/parent_session_id' });
    }
  }
  if (session.agentId !== null) return session;
  const agent = await bindAgent(
    uow,
    principal,
    { agentId: requester.agent_id, parentSessionId: session.parentSessionId },
    '/requester/agent_id',
  );
  const goal = request.task?.goal;
  if (goal === undefined) return { ...session, agentId: agent.id, boundAgent: agent.bound };
  return deps.sessions.beginTrace(uow, session, { agent, goal });
}

/** Rules 1 and 2 of section 3.6. */
export async function admitRequest(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  session: Session,
  request: CarpRequest,
  now: Micros,
): Promise<void> {
  const { clockSkewSeconds } = deps.settings;
  const stamped = parseInstant(request.timestamp)?.micros ?? 0;
  const skew = Math.abs(now - stamped) / 1_000_000;
  if (skew > clockSkewSeconds) {
    throw governanceErrors.clock_skew({
      message: `The timestamp is ${Math.round(skew)} s from the server clock; at most ${clockSkewSeconds} s are accepted.`,
      pointer: '/timestamp',
      details: { skew_seconds: Math.round(skew) },
    });
  }
  if (!(await claimRequest(uow, session.sessionId, request.request_id, now))) {
    throw governanceErrors.duplicate_request({
      pointer: '/request_id',
      details: { request_id: request.request_id },
    });
  }
}

/** Traces a refusal in the session that it happened in. */
export async function traceRefusal(span: TraceSpan, request: CarpRequest, error: BatonError): Promise<void> {
  await span.emit('error.occurred', {
    error_code: error.code.toUpperCase(),
    error_message: error.message,
    request_id: request.request_id,
  });
}

export type Attempt<T> = { readonly done: T } | { readonly refused: BatonError };

/** The unit that recorded a refusal has committed; now the error goes to the caller. */
export function settle<T>(attempt: Attempt<T>): T {
  if ('refused' in attempt) throw attempt.refused;
  return attempt.done;
}

/**
 * Turns a refusal into a value, so that the unit commits what was recorded about it. Any other error still rolls the
 * unit back.
 */
export async function attempt<T>(work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { done: await work() };
  } catch (error) {
    if (error instanceof BatonError && error.status < 500) return { refused: error };
    throw error;
  }
}

/** A call that may not touch the session it names is recorded in the ledger of whoever made it. */
export async function recordRefusal(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  principal: Principal,
  request: CarpRequest,
  error: BatonError,
): Promise<void> {
  const session = await selectSession(uow, request.requester.session_id.toLowerCase());
  const seen = session !== undefined && canSeeProject(principal, session.projectId);
  await deps.record(uow, {
    projectId: seen ? session.projectId : principal.defaultProject,
    actor: principal.actor,
    type: 'carp.refused',
    payload: {
      code: error.code.toUpperCase(),
      operation: request.operation,
      request_id: request.request_id,
      session_id: request.requester.session_id,
    },
  });
}
