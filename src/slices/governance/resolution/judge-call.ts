/**
 * A call that a client is about to make by itself: judged as a whole, before it runs. Baton executes nothing here, so
 * there is no resolution to refer to; the trace has the request and what each policy said.
 */
import { canonicalAppendixB } from '../../../kernel/json/canonical/appendix-b.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Session } from '../../../spine/identity/sessions/session.ts';
import {
  requireActiveSession,
  requireSessionOwner,
} from '../../../spine/identity/sessions/session-access.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { askForCall } from '../approvals/ask.ts';
import { approvedOtherwise } from '../approvals/edited.ts';
import { type Grant, hashWithout, type Need } from '../approvals/grant-rules.ts';
import { admittanceOf, needOf, spendGrants, usableGrants } from '../approvals/grants.ts';
import { selectOpenApprovals } from '../approvals/store.ts';
import type { AtlasLoad } from '../atlases/store.ts';
import { type DecidedCall, recordCall } from '../impact/record-call.ts';
import { chargeLimits } from '../policies/charge-limits.ts';
import { type AppliedLimit, appliedLimits } from '../policies/rules/applied-limits.ts';
import type { CompiledAction, CompiledPolicy } from '../policies/rules/compile.ts';
import { decide, onlyLogs, type Verdict } from '../policies/rules/decide.ts';
import { effectiveTier } from '../policies/rules/tiers.ts';
import type { GovernanceDeps } from '../ports.ts';
import { type TraceSpan, traceSpan } from '../traces/span.ts';
import { factsFor } from './known-facts.ts';
import { askerOf, policySubject } from './rules/input.ts';
import { denialReason, evaluationOf } from './rules/resolve.ts';

export interface ClientCall {
  /** Of the agent that makes the call; the credential must own it. */
  readonly session: Session;
  /** What a person who is asked reads first. */
  readonly goal: string;
  /** Everything that the call does. One that may not be done stops all of it. */
  readonly steps: readonly { readonly actionId: string; readonly parameters: JsonObject }[];
  /** Whether somebody can answer in the client itself. What a policy with named approvers asks never goes there. */
  readonly clientAsks: boolean;
}

/** What one policy said of one step. */
export interface StepJudgement {
  readonly actionId: string;
  readonly parameters: JsonObject;
  /** What holds, and what would if the Atlas enforced. */
  readonly effect: 'allow' | 'deny' | 'ask';
  readonly verdict: 'allow' | 'deny' | 'ask';
  readonly policyId: string;
  readonly reason: string;
  /** The trace's events of this step share it. */
  readonly spanId: string;
  readonly atlas: { readonly id: string; readonly version: string; readonly mode: AtlasLoad['mode'] };
}

export interface CallJudgement {
  /** `ask`: in the client, or, if there are `items`, in the inbox, where the question is once the unit commits. */
  readonly effect: 'allow' | 'deny' | 'ask';
  /** The steps that some Atlas has a word on, in their order. */
  readonly steps: readonly StepJudgement[];
  /** The inbox items that wait. */
  readonly items: readonly string[];
}

interface Judged extends StepJudgement {
  readonly compiled: CompiledAction;
  readonly rule: Verdict;
  readonly input: DecidedCall['input'];
  readonly used: readonly Grant[];
  readonly missing: readonly (Need & { readonly policy: CompiledPolicy })[];
  readonly span: TraceSpan;
  readonly limits: readonly AppliedLimit[];
}

export async function judgeClientCall(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  principal: Principal,
  call: ClientCall,
): Promise<CallJudgement> {
  const { session } = call;
  requireSessionOwner(principal, session);
  requireActiveSession(session);
  const loaded = await deps.sets.load(uow, session.projectId, undefined);
  const governed = distinct(deps, call.steps).flatMap((step) => {
    const compiled = loaded.set.action(step.actionId);
    return compiled ? [{ ...step, compiled }] : [];
  });
  if (governed.length === 0) return { effect: 'allow', steps: [], items: [] };
  const subject = policySubject(session);
  const limitsOf = (
    compiled: CompiledAction,
    policies: readonly CompiledPolicy[],
    { actionId, parameters }: ClientCall['steps'][number],
  ) => appliedLimits(compiled, policies, { ...session, agentId: subject.agentId, actionId, parameters });
  const counters = governed.flatMap(({ compiled, ...step }) =>
    limitsOf(compiled, [...compiled.candidates.rate, ...compiled.candidates.budget], step).map(
      ({ key }) => key,
    ),
  );
  await uow.lock(`carp:${session.sessionId}`, ...new Set(counters));
  const now = deps.clock.now();
  const grants = await usableGrants(uow, principal, session, now);
  const facts = await factsFor(uow, deps, loaded, session.projectId, now);
  const judged: Judged[] = [];
  for (const { actionId, parameters, compiled } of governed) {
    const input = {
      ...subject,
      riskTier: undefined,
      context: {},
      scopes: principal.scopes,
      now,
      parameters,
      asker: askerOf(principal, session.projectId),
      facts,
    };
    const rule = decide(compiled, input);
    const tier = effectiveTier('low', compiled.action.risk_tier);
    const needs = rule.approvals.map((policy) => ({
      ...needOf(policy, loaded.loads, [actionId], tier),
      policy,
    }));
    const { used, missing } = admittanceOf(grants, needs, (mayDiffer) =>
      hashWithout(deps.hasher, parameters, mayDiffer),
    );
    const { sessionId } = session;
    const otherwise =
      rule.effect !== 'deny' && missing.length > 0
        ? await approvedOtherwise(uow, deps, {
            sessionId,
            actionId,
            parametersHash: hashOf(deps, parameters),
          })
        : undefined;
    const refused = rule.effect === 'deny' || otherwise !== undefined;
    const verdict = refused ? 'deny' : missing.length > 0 ? 'ask' : 'allow';
    const load = loaded.loads[compiled.atlasIndex] as AtlasLoad;
    const logOnly = onlyLogs(compiled, rule);
    const span = traceSpan(uow, deps.journal, session, deps.ids());
    await span.emit('action.requested', { action_id: actionId, parameters_hash: hashOf(deps, parameters) });
    const approved = rule.effect === 'require_approval' && missing.length === 0;
    await span.emit('policy.evaluated', { ...evaluationOf(rule, actionId, { logOnly, approved }) });
    judged.push({
      actionId,
      parameters,
      effect: logOnly ? 'allow' : verdict,
      verdict,
      policyId: rule.policyId,
      reason:
        otherwise?.words ??
        (verdict === 'deny' ? denialReason(rule) : (missing[0]?.policy.rule.reason ?? '')),
      atlas: { id: load.atlasId, version: load.version, mode: compiled.mode },
      compiled,
      rule,
      input,
      used,
      missing,
      span,
      spanId: span.spanId,
      limits: limitsOf(compiled, rule.limits, { actionId, parameters }),
    });
  }
  const settled = await settle(uow, deps, principal, call, judged);
  const [first] = judged;
  for (const [at, each] of judged.entries()) {
    const { policyId = each.policyId, effect } = settled.steps[at] ?? {};
    // Only a limit refuses what the rules let pass.
    const limited = effect === 'deny' && each.effect !== 'deny';
    const stopped = { deny: 'denied', ask: 'waited', allow: 'ran' } as const;
    await recordCall(
      uow,
      deps,
      {
        projectId: session.projectId,
        sessionId: session.sessionId,
        requestId: null,
        via: 'client',
        actionId: each.actionId,
        callId: each.spanId,
        groupId: first?.spanId ?? each.spanId,
        loads: loaded.loads,
        input: each.input,
        verdict: each.rule,
      },
      limited ? { outcome: 'limited', limit: policyId } : { outcome: stopped[settled.effect] },
    );
  }
  return settled;
}

async function settle(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  principal: Principal,
  call: ClientCall,
  judged: readonly Judged[],
): Promise<CallJudgement> {
  const { session } = call;
  const steps: StepJudgement[] = judged.map(shown);
  const refused = judged.filter(({ effect }) => effect === 'deny');
  for (const each of refused) {
    const violation = each.rule.policy?.type === 'scope' ? 'unauthorized' : 'denied_action';
    await deny(each, each.policyId, each.reason, violation);
  }
  if (refused.length > 0) return { effect: 'deny', steps, items: [] };
  const asking = judged.filter(({ effect }) => effect === 'ask');
  if (asking.length > 0) {
    const named = asking.some(({ missing }) => missing.some(({ policy }) => policy.rule.approval?.approvers));
    if (call.clientAsks && !named) return { effect: 'ask', steps, items: [] };
    const items: string[] = [];
    for (const { missing, parameters } of asking) {
      for (const need of missing) {
        const open = await selectOpenApprovals(uow, deps.payloads, session.sessionId, deps.clock.now());
        const needed = { ...need, principal, session, resolutionId: null, goal: call.goal, open };
        const waiting = { parameters, hash: hashOf(deps, parameters) };
        items.push((await askForCall(uow, deps, needed, waiting)).approvalId);
      }
    }
    return { effect: 'ask', steps, items: [...new Set(items)] };
  }
  for (const [at, each] of judged.entries()) {
    const executionId = deps.ids();
    const enforce = !onlyLogs(each.compiled, each.rule);
    const { parameters, limits } = each;
    const over = await chargeLimits(uow, { limits, parameters, executionId, now: deps.clock.now(), enforce });
    if (over) {
      await deny(each, over.policyId, over.reason, over.violation);
      steps[at] = {
        ...shown(each),
        effect: 'deny',
        verdict: 'deny',
        policyId: over.policyId,
        reason: over.reason,
      };
      return { effect: 'deny', steps, items: [] };
    }
  }
  // A yes is for the call: two of its steps may pass by the same one.
  const used = judged.flatMap(({ compiled, rule, used: grants, spanId }) =>
    onlyLogs(compiled, rule) ? [] : grants.map((grant) => ({ grant, spanId })),
  );
  for (const { grant, spanId } of new Map(used.map((each) => [each.grant.approvalId, each])).values()) {
    await spendGrants(uow, deps, session, [grant], { by: deps.ids(), spanId });
  }
  return { effect: 'allow', steps, items: [] };
}

/** The same command twice in a line is one question. */
function distinct(deps: GovernanceDeps, steps: ClientCall['steps']): ClientCall['steps'] {
  return [
    ...new Map(steps.map((step) => [`${step.actionId} ${hashOf(deps, step.parameters)}`, step])).values(),
  ];
}

async function deny({ span, actionId }: Judged, policyId: string, reason: string, violation: string) {
  await span.emit('policy.violated', {
    policy_id: policyId,
    violation_type: violation,
    details: { action_id: actionId },
  });
  await span.emit('action.denied', { action_id: actionId, reason, policy_id: policyId });
}

function shown({
  actionId,
  parameters,
  effect,
  verdict,
  policyId,
  reason,
  spanId,
  atlas,
}: Judged): StepJudgement {
  return { actionId, parameters, effect, verdict, policyId, reason, spanId, atlas };
}

function hashOf({ hasher }: GovernanceDeps, parameters: JsonObject): string {
  return hasher.hex(canonicalAppendixB(parameters));
}
