/** The first unit of an execution: the rules of section 3.6, the policies again, the quotas, and the recorded intent. */

import type { BatonError } from '../../../kernel/error.ts';
import { canonicalAppendixB } from '../../../kernel/json/canonical/appendix-b.ts';
import { toPlain } from '../../../kernel/json/plain.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { writeJson } from '../../../kernel/json/write.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Session } from '../../../spine/identity/sessions/session.ts';
import { selectSession } from '../../../spine/identity/sessions/session-store.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { askForCall } from '../approvals/ask.ts';
import { approvedOtherwise } from '../approvals/edited.ts';
import { type Grant, hashWithout, type Need } from '../approvals/grant-rules.ts';
import { admittanceOf, needOf, spendGrants, usableGrants } from '../approvals/grants.ts';
import { type Approval, selectOpenApprovals } from '../approvals/store.ts';
import type { AtlasPin, LoadedSet } from '../atlases/sets.ts';
import { governanceErrors } from '../errors.ts';
import { type CallOutcome, recordCall } from '../impact/record-call.ts';
import { chargeLimits } from '../policies/charge-limits.ts';
import { appliedLimits } from '../policies/rules/applied-limits.ts';
import type { CompiledAction, CompiledPolicy } from '../policies/rules/compile.ts';
import { DEFAULT_DENY, decide, onlyLogs, type Verdict } from '../policies/rules/decide.ts';
import { effectiveTier } from '../policies/rules/tiers.ts';
import type { GovernanceDeps } from '../ports.ts';
import {
  admitRequest,
  admitSession,
  attempt,
  type ReadCarpRequest,
  recordRefusal,
  traceRefusal,
} from '../resolution/admission.ts';
import { factsFor } from '../resolution/known-facts.ts';
import type { Admitted } from '../resolution/resolve.ts';
import { askerOf, decisionInputOf, policySubject, resolveInputOf } from '../resolution/rules/input.ts';
import { callDenialReason, evaluationOf } from '../resolution/rules/resolve.ts';
import type { CarpRequest } from '../resolution/schema.ts';
import { selectResolution, selectResolutionInput } from '../resolution/store.ts';
import type { RiskTier } from '../schema.ts';
import type { RecordedInput } from '../traces/schema.ts';
import { traceSpan } from '../traces/span.ts';
import { type Denial, denied, pendingApproval } from './answer.ts';
import type { ExecuteResponse } from './schema.ts';
import { type Execution, insertExecution, selectByKey } from './store.ts';

interface Accepted {
  readonly execution: Execution;
  readonly action: CompiledAction;
  readonly session: Session;
  readonly parameters: JsonObject;
}

export type Admission =
  | { readonly kind: 'run'; readonly accepted: Accepted }
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body: ExecuteResponse;
      readonly retryAfter?: number;
    }
  | { readonly kind: 'refused'; readonly error: BatonError };

/** A process that needs longer than the action's timeout and this margin is presumed dead. */
const LEASE_MARGIN_SECONDS = 30;

interface Step extends Admitted {
  readonly parameters: JsonObject;
  readonly parametersHash: string;
  /** What the resolution was made from. */
  readonly recorded: RecordedInput | undefined;
}

export interface AdmissionTerms {
  /** The call is decided by this version of its Atlas, or not at all. */
  readonly atlas?: AtlasPin | undefined;
  /** How long the action may run; what its Atlas says unless given. */
  readonly timeoutSeconds?: number | undefined;
}

export async function admitExecution(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  principal: Principal,
  body: ReadCarpRequest,
  terms: AdmissionTerms = {},
): Promise<Admission> {
  const { request } = body;
  const execution = request.execution as NonNullable<CarpRequest['execution']>;
  const recorded = await selectResolutionInput(uow, deps.payloads, execution.resolution_id);
  const locks = await counters(uow, deps, body, recorded);
  await uow.lock(`carp:${request.requester.session_id.toLowerCase()}`, ...locks);
  const admitted = await attempt(() => admitSession(uow, deps, principal, request));
  if ('refused' in admitted) {
    await recordRefusal(uow, deps, principal, request, admitted.refused);
    return { kind: 'refused', error: admitted.refused };
  }
  const session = admitted.done;
  const step: Step = {
    uow,
    principal,
    request,
    session,
    span: traceSpan(uow, deps.journal, session, deps.ids()),
    now: deps.clock.now(),
    parameters: body.parameters,
    parametersHash: deps.hasher.hex(canonicalAppendixB(body.parameters)),
    recorded,
  };
  const repeated = await attempt(() => earlierAnswer(deps, step));
  if ('refused' in repeated) return traced(step, repeated.refused);
  if (repeated.done) return { kind: 'answer', status: 200, body: repeated.done };
  const fresh = await attempt(() => admitRequest(uow, deps, session, request, step.now));
  if ('refused' in fresh) return traced(step, fresh.refused);
  return judge(deps, step, execution, terms);
}

/** The locks of the counters involved: a policy may count over many sessions and actions. */
async function counters(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  { request, parameters }: ReadCarpRequest,
  recorded: RecordedInput | undefined,
): Promise<string[]> {
  const sessionId = request.requester.session_id.toLowerCase();
  const actionId = request.execution?.action_id ?? '';
  const session = await selectSession(uow, sessionId);
  if (!session) return [];
  const action = (await deps.sets.loadPresent(uow, session.projectId, namedIn(recorded))).set.action(
    actionId,
  );
  if (!action) return [];
  const { rate, budget } = action.candidates;
  // Without an agent yet, the request is refused, or names the one that the session gets.
  const { agentId } =
    session.agentId === null ? { agentId: request.requester.agent_id } : policySubject(session);
  const subject = { projectId: session.projectId, agentId, sessionId, actionId, parameters };
  return appliedLimits(action, [...rate, ...budget], subject).map(({ key }) => key);
}

/** D45: the same key and parameters get the first answer, before any other rule. */
async function earlierAnswer({ payloads }: GovernanceDeps, step: Step): Promise<ExecuteResponse | undefined> {
  const { idempotency_key: key, action_id: actionId } = step.request.execution ?? {};
  if (key === null || key === undefined || actionId === undefined) return undefined;
  const earlier = await selectByKey(step.uow, payloads, step.session.sessionId, actionId, key);
  if (!earlier) return undefined;
  if (earlier.parametersHash !== step.parametersHash) {
    throw governanceErrors.idempotency_conflict({ pointer: '/execution/idempotency_key' });
  }
  if (earlier.running || earlier.response === null) throw governanceErrors.execution_in_progress();
  return JSON.parse(earlier.response);
}

async function traced(step: Step, error: BatonError): Promise<Admission> {
  await traceRefusal(step.span, step.request, error);
  return { kind: 'refused', error };
}

async function judge(
  deps: GovernanceDeps,
  step: Step,
  execution: NonNullable<CarpRequest['execution']>,
  terms: AdmissionTerms,
): Promise<Admission> {
  const { uow, session, span, now, recorded } = step;
  const actionId = execution.action_id;
  await span.emit('action.requested', { action_id: actionId, parameters_hash: step.parametersHash });

  const loaded = await deps.sets.loadPresent(uow, session.projectId, namedIn(recorded));
  if (terms.atlas && !isDecidedBy(terms.atlas, recorded, loaded)) {
    return refuse(step, 'atlas_changed', '/execution/resolution_id');
  }
  const resolution = await selectResolution(uow, deps.payloads, session.sessionId, execution.resolution_id);
  if (!resolution) return refuse(step, 'resolution_not_found', '/execution/resolution_id');
  if (resolution.expires <= now) return refuse(step, 'resolution_expired', '/execution/resolution_id');
  if (!resolution.body.allowed_actions.some(({ action_id }) => action_id === actionId)) {
    const listed = resolution.body.denied_actions.find(({ action_id }) => action_id === actionId);
    return deny(deps, step, {
      reason: listed?.reason ?? 'The action is not part of the resolution',
      policyId: listed?.policy_id ?? DEFAULT_DENY,
      violation: 'denied_action',
    });
  }

  const action = loaded.set.action(actionId);
  if (!action) return refuse(step, 'action_not_found', '/execution/action_id');

  const faults = deps.judgeParameters({
    schema: action.action.parameters_schema,
    parameters: toPlain(step.parameters),
    length: writeJson(step.parameters).length,
    hash: step.parametersHash,
  });
  if (faults.length > 0) return refuseParameters(step, faults);

  const input = resolveInputOf(step.request, session, {
    scopes: step.principal.scopes,
    now,
    asker: askerOf(step.principal, session.projectId),
    facts: await factsFor(uow, deps, loaded, session.projectId, now),
  });
  // The tier that was declared for the resolution still counts.
  const declared = effectiveTier(recorded?.risk_tier, step.request.task?.risk_tier);
  const context = step.request.context ?? recorded?.context ?? {};
  const decisionInput = {
    ...decisionInputOf({ ...input, riskTier: declared, context }),
    parameters: step.parameters,
  };
  const verdict = decide(action, decisionInput);
  const logOnly = onlyLogs(action, verdict);
  const riskTier = effectiveTier(declared, action.action.risk_tier);
  const { used, missing } = await approvalsOf(deps, step, loaded, verdict, actionId, riskTier);
  const approved = verdict.effect === 'require_approval' && missing.length === 0;
  await span.emit('policy.evaluated', { ...evaluationOf(verdict, actionId, { logOnly, approved }) });
  const { projectId, sessionId } = session;
  const decided = (outcome: CallOutcome) =>
    recordCall(
      uow,
      deps,
      {
        projectId,
        sessionId,
        requestId: step.request.request_id,
        actionId,
        callId: span.spanId,
        via: 'execute',
        loads: loaded.loads,
        input: decisionInput,
        verdict,
      },
      outcome,
    );
  if (!logOnly && verdict.effect === 'deny') {
    await decided({ outcome: 'denied' });
    return deny(deps, step, {
      reason: callDenialReason(verdict, action, decisionInput),
      policyId: verdict.policyId,
      violation: verdict.policy?.type === 'scope' ? 'unauthorized' : 'denied_action',
    });
  }
  if (!logOnly && missing.length > 0) {
    const { parametersHash } = step;
    const otherwise = await approvedOtherwise(uow, deps, { sessionId, actionId, parametersHash });
    if (otherwise) {
      await decided({ outcome: 'denied' });
      const { approval, parameters, words: reason } = otherwise;
      await span.emit('action.denied', { action_id: actionId, reason, policy_id: approval.policyId });
      const approved = { approvalId: approval.approvalId, parameters };
      const { policyId } = approval;
      return denied(answerHead(deps, step), { reason, policyId, violation: 'denied_action', approved });
    }
    await decided({ outcome: 'waited' });
    return askFirst(deps, step, missing);
  }

  const executionId = deps.ids();
  const { parameters } = step;
  const subject = { projectId, agentId: input.agentId, sessionId, actionId, parameters };
  const over = await chargeLimits(uow, {
    limits: appliedLimits(action, verdict.limits, subject),
    parameters,
    executionId,
    now,
    enforce: !logOnly,
  });
  if (over) {
    await decided({ outcome: 'limited', limit: over.policyId });
    return deny(deps, step, over);
  }
  await decided({ outcome: 'ran', executionId });
  await span.emit('action.approved', { action_id: actionId, resolution_id: resolution.body.resolution_id });
  const timeout = terms.timeoutSeconds ?? action.action.timeout_seconds ?? 30;
  const intent: Execution = {
    executionId,
    projectId: session.projectId,
    sessionId: session.sessionId,
    requestId: step.request.request_id,
    resolutionId: resolution.body.resolution_id,
    atlasDigest: loaded.loads[action.atlasIndex]?.digest ?? '',
    actionId,
    parametersHash: step.parametersHash,
    parameters: writeJson(step.parameters),
    idempotencyKey: execution.idempotency_key ?? null,
    spanId: span.spanId,
    started: now,
    lease: now + (timeout + LEASE_MARGIN_SECONDS) * 1_000_000,
  };
  await insertExecution(uow, deps.payloads, intent);
  if (!logOnly) await spendGrants(uow, deps, session, used, { by: executionId, spanId: span.spanId });
  return { kind: 'run', accepted: { execution: intent, action, session, parameters: step.parameters } };
}

/** Whether the resolution came from the pinned version, and it alone decides now. */
function isDecidedBy(
  { atlasId, digest, mode }: AtlasPin,
  recorded: RecordedInput | undefined,
  { loads }: LoadedSet,
): boolean {
  const [was, ...more] = (recorded?.atlases ?? []).filter((each) => !each.rules_only);
  const [is, ...others] = loads.filter(({ rulesOnly }) => !rulesOnly);
  return (
    more.length + others.length === 0 &&
    was?.atlas_id === atlasId &&
    was.digest === digest &&
    was.mode === mode &&
    is?.atlasId === atlasId &&
    is.digest === digest &&
    is.mode === mode
  );
}

/** The Atlases that the resolution offered actions of; guardrails and dependencies come along by themselves. */
function namedIn(recorded: RecordedInput | undefined): string[] | undefined {
  return recorded?.atlases.filter((each) => !each.rules_only).map(({ atlas_id }) => atlas_id);
}

/** Refused by a rule of the protocol, not of an Atlas. */
async function refuse(
  step: Step,
  code: 'resolution_not_found' | 'resolution_expired' | 'action_not_found' | 'atlas_changed',
  pointer: string,
): Promise<Admission> {
  const actionId = step.request.execution?.action_id ?? '';
  await step.span.emit('action.denied', { action_id: actionId, reason: code, policy_id: 'carp' });
  return { kind: 'refused', error: governanceErrors[code]({ pointer }) };
}

async function refuseParameters(
  step: Step,
  faults: readonly { readonly pointer: string; readonly message: string }[],
): Promise<Admission> {
  const actionId = step.request.execution?.action_id ?? '';
  const pointers = faults.map(({ pointer }) => pointer);
  await step.span.emit('policy.violated', {
    policy_id: 'parameters-schema',
    violation_type: 'invalid_parameters',
    details: { pointers },
  });
  await step.span.emit('action.denied', {
    action_id: actionId,
    reason: 'invalid_parameters',
    policy_id: 'parameters-schema',
  });
  const [first] = faults;
  return {
    kind: 'refused',
    error: governanceErrors.invalid_parameters({
      message: `The parameter ${first?.pointer || 'object'} ${first?.message ?? 'is not valid'}.`,
      pointer: `/execution/parameters${first?.pointer ?? ''}`,
      details: { issues: faults.slice(0, 20) },
    }),
  };
}

async function deny(deps: GovernanceDeps, step: Step, denial: Denial): Promise<Admission> {
  const actionId = step.request.execution?.action_id ?? '';
  await step.span.emit('policy.violated', {
    policy_id: denial.policyId,
    violation_type: denial.violation,
    details: {
      action_id: actionId,
      ...(denial.retryAfterSeconds !== undefined && { retry_after_seconds: denial.retryAfterSeconds }),
    },
  });
  await step.span.emit('action.denied', {
    action_id: actionId,
    reason: denial.reason,
    policy_id: denial.policyId,
  });
  return denied(answerHead(deps, step), denial);
}

/** The grants that the call passes by, and the policies that nobody has agreed to for it yet. */
async function approvalsOf(
  deps: GovernanceDeps,
  step: Step,
  { loads }: LoadedSet,
  { approvals }: Verdict,
  actionId: string,
  riskTier: RiskTier,
): Promise<{ readonly used: readonly Grant[]; readonly missing: readonly Missing[] }> {
  if (approvals.length === 0) return { used: [], missing: [] };
  const needs = approvals.map((policy) => ({ ...needOf(policy, loads, [actionId], riskTier), policy }));
  const grants = await usableGrants(step.uow, step.principal, step.session, step.now);
  return admittanceOf(grants, needs, (mayDiffer) => hashWithout(deps.hasher, step.parameters, mayDiffer));
}

type Missing = Need & { readonly policy: CompiledPolicy };

/** Asks for every approval that is missing, so that their people can decide at the same time. */
async function askFirst(deps: GovernanceDeps, step: Step, missing: readonly Missing[]): Promise<Admission> {
  const { uow, session, principal } = step;
  const open = await selectOpenApprovals(uow, deps.payloads, session.sessionId, step.now);
  const resolutionId = step.request.execution?.resolution_id ?? null;
  const call = { parameters: step.parameters, hash: step.parametersHash };
  const approvals: Approval[] = [];
  for (const need of missing) {
    const needed = { ...need, principal, session, resolutionId, goal: session.goal ?? '', open };
    approvals.push(await askForCall(uow, deps, needed, call));
  }
  return pendingApproval(answerHead(deps, step), approvals);
}

function answerHead(deps: GovernanceDeps, step: Step) {
  return {
    executionId: deps.ids(),
    requestId: step.request.request_id,
    resolutionId: step.request.execution?.resolution_id ?? '',
    traceId: step.session.traceId,
    now: step.now,
  };
}
