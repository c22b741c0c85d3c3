import type { Micros } from '../../../kernel/clock.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import { canonicalAppendixB } from '../../../kernel/json/canonical/appendix-b.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { type BoundAgent, bindAgent } from '../../../spine/identity/sessions/bound-agent.ts';
import type { Session } from '../../../spine/identity/sessions/session.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { askForCall } from '../approvals/ask.ts';
import { hashWithout, type Need } from '../approvals/grant-rules.ts';
import { admittanceOf, needOf, spendGrants, usableGrants } from '../approvals/grants.ts';
import { selectOpenApprovals } from '../approvals/store.ts';
import { type CallOutcome, type DecidedCall, recordCall } from '../impact/record-call.ts';
import type { CompiledAction, CompiledPolicy, PolicySet } from '../policies/rules/compile.ts';
import { decide, onlyLogs, type Verdict } from '../policies/rules/decide.ts';
import { effectiveTier } from '../policies/rules/tiers.ts';
import type { GovernanceDeps } from '../ports.ts';
import type { RiskTier } from '../schema.ts';
import { factsFor } from './known-facts.ts';
import { resolveRequest } from './resolve.ts';
import { askerOf, policySubject } from './rules/input.ts';
import { denialReason, hasClockRules } from './rules/resolve.ts';
import type { CarpResolution } from './schema.ts';

export interface PolicyQuestion {
  /** Names the work that the question belongs to: the same name finds its session, and its approvals, again. */
  readonly session: string;
  readonly goal: string;
  /** In whose name the principal asks, which must speak for it; its own by default. */
  readonly agent?: string | undefined;
  /** The one action that must be allowed; without it, nothing may be denied. */
  readonly action?: string | undefined;
  /** What is about to be done, as far as rules may look at it and a person must see it. */
  readonly parameters?: JsonObject | undefined;
}

export interface PolicyAnswer {
  readonly allowed: boolean;
  /** Allowed once a person has approved, who is asked in the inbox from now on. */
  readonly waiting: boolean;
  readonly reason: string;
  /** Absent where the question itself was refused. */
  readonly resolutionId?: string;
}

/** What an answer rests on that nothing but another Atlas, or the end of its session, can change. */
export interface SteadyAnswer {
  readonly sessionId: string;
  readonly agentId: string;
  /** Of the Atlases that decided. */
  readonly setKey: string;
  readonly expires: Micros;
  /** Leaves on record that one more call was decided by it. */
  readonly record: (uow: UnitOfWork) => Promise<void>;
}

/**
 * A resolve by another slice, which acts if it is allowed. So this is the call: rules see its parameters, whoever has to
 * approve is asked at once, and what they granted for one call is spent by an answer that allows it.
 */
export async function checkPolicy(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  principal: Principal,
  question: PolicyQuestion,
): Promise<PolicyAnswer & { readonly steady?: SteadyAnswer }> {
  const { actor, defaultProject: projectId } = principal;
  const { goal } = question;
  const agent = await bindAgent(uow, principal, { agentId: question.agent ?? actor.id });
  const session = await deps.sessions.sessionForRef(
    uow,
    { projectId, scheme: 'run', value: question.session },
    { actor, agent, goal },
  );
  const resolved = await resolveRequest(uow, deps, principal, {
    carp_version: '1.0',
    request_id: deps.ids(),
    timestamp: formatMicros(deps.clock.now()),
    operation: 'resolve',
    requester: { agent_id: agent.id, session_id: session.sessionId },
    task: { goal },
  });
  if ('refused' in resolved) return { allowed: false, waiting: false, reason: resolved.refused.message };
  const resolution = resolved.done;
  const { resolution_id: resolutionId } = resolution;
  const refusal = refusalOf(resolution, question.action);
  if (refusal !== undefined) return { allowed: false, waiting: false, reason: refusal, resolutionId };
  const answer = await judgeCall(uow, deps, { principal, agent, session, question, resolution });
  return { ...answer, resolutionId };
}

/** What the resolution itself refuses. */
function refusalOf(resolution: CarpResolution, action: string | undefined): string | undefined {
  const { decision, allowed_actions: allowed, denied_actions: denied } = resolution;
  if (action === undefined) {
    if (denied.length === 0 && decision.type !== 'deny') return undefined;
    return decision.reason ?? `The decision is ${decision.type}.`;
  }
  if (allowed.some(({ action_id }) => action_id === action)) return undefined;
  const found = denied.find(({ action_id }) => action_id === action);
  return found?.reason ?? `No Atlas has the action ${action}.`;
}

interface Call {
  readonly principal: Principal;
  readonly agent: BoundAgent;
  readonly session: Session;
  readonly question: PolicyQuestion;
  readonly resolution: CarpResolution;
}

async function judgeCall(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  call: Call,
): Promise<PolicyAnswer & { readonly steady?: SteadyAnswer }> {
  const { principal, agent, session, question, resolution } = call;
  const { goal, action, parameters = {} } = question;
  const now = deps.clock.now();
  const loaded = await deps.sets.load(uow, session.projectId, undefined);
  const actionIds =
    action === undefined ? resolution.allowed_actions.map(({ action_id }) => action_id) : [action];
  const facts = await factsFor(uow, deps, loaded, session.projectId, now);
  const decided = async (
    unit: UnitOfWork,
    actionId: string,
    input: DecidedCall['input'],
    verdict: Verdict,
    outcome: CallOutcome,
  ) =>
    recordCall(
      unit,
      deps,
      {
        projectId: session.projectId,
        sessionId: session.sessionId,
        requestId: resolution.request_id,
        actionId,
        callId: deps.ids(),
        via: 'check',
        loads: loaded.loads,
        input,
        verdict,
      },
      outcome,
    );
  let named: { readonly input: DecidedCall['input']; readonly verdict: Verdict } | undefined;
  const asking = new Map<CompiledPolicy, { readonly actionIds: string[]; riskTier: RiskTier }>();
  for (const actionId of actionIds) {
    const compiled = loaded.set.action(actionId) as CompiledAction;
    const { scopes } = principal;
    const asker = askerOf(principal, session.projectId);
    const input = {
      agentId: policySubject(session).agentId,
      riskTier: undefined,
      context: {},
      scopes,
      now,
      parameters,
      asker,
      facts,
    };
    const verdict = decide(compiled, input);
    if (onlyLogs(compiled, verdict)) continue;
    if (actionId === action) named = { input, verdict };
    if (verdict.effect === 'deny') {
      if (named) await decided(uow, actionId, input, verdict, { outcome: 'denied' });
      return { allowed: false, waiting: false, reason: denialReason(verdict) };
    }
    for (const policy of verdict.approvals) {
      const entry = asking.get(policy) ?? { actionIds: [], riskTier: 'low' };
      entry.actionIds.push(actionId);
      entry.riskTier = effectiveTier(entry.riskTier, compiled.action.risk_tier);
      asking.set(policy, entry);
    }
  }
  const needs = [...asking].map(([policy, each]): Need & { readonly policy: CompiledPolicy } => ({
    ...needOf(policy, loaded.loads, each.actionIds, each.riskTier),
    policy,
  }));
  const grants = needs.length > 0 ? await usableGrants(uow, principal, session, now) : [];
  const { used, missing } = admittanceOf(grants, needs, (mayDiffer) =>
    hashWithout(deps.hasher, parameters, mayDiffer),
  );
  const resolutionId = resolution.resolution_id;
  if (named && action !== undefined) {
    await decided(uow, action, named.input, named.verdict, {
      outcome: missing.length === 0 ? 'ran' : 'waited',
    });
  }
  if (missing.length === 0) {
    // The request and not the resolution, which several requests may have got from the cache.
    await spendGrants(uow, deps, session, used, { by: resolution.request_id });
    const answer = { allowed: true, waiting: false, reason: 'Allowed.' };
    if (needs.length > 0 || !isSteady(loaded.set, resolution)) return answer;
    const steady: SteadyAnswer = {
      sessionId: session.sessionId,
      agentId: agent.id,
      setKey: loaded.key,
      expires: now + resolution.ttl_seconds * 1_000_000,
      record: async (unit) => {
        if (!named || action === undefined) return;
        const again = { ...named.input, now: deps.clock.now() };
        await decided(unit, action, again, named.verdict, { outcome: 'ran' });
      },
    };
    return { ...answer, steady };
  }
  const open = await selectOpenApprovals(uow, deps.payloads, session.sessionId, now);
  const hash = deps.hasher.hex(canonicalAppendixB(parameters));
  for (const need of missing) {
    await askForCall(
      uow,
      deps,
      { ...need, principal, session, resolutionId, goal, open },
      { parameters, hash },
    );
  }
  return { allowed: false, waiting: true, reason: 'A person must approve first.' };
}

/** Whether nothing that passes, is spent, or is found out between two calls is asked by any of the rules. */
function isSteady(set: PolicySet, { constraints }: CarpResolution): boolean {
  const { rate, budget } = set.policies;
  const isLimited =
    rate.length > 0 || budget.length > 0 || constraints.some(({ type }) => type !== 'require_approval');
  return !isLimited && set.facts.length === 0 && !hasClockRules(set);
}
