import type { Micros } from '../../../kernel/clock.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import { canonicalJcs } from '../../../kernel/json/canonical/jcs.ts';
import { fromPlain } from '../../../kernel/json/plain.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Session } from '../../../spine/identity/sessions/session.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { offerApproval } from '../approvals/ask.ts';
import { coveringGrant } from '../approvals/grant-rules.ts';
import { needOf, usableGrants } from '../approvals/grants.ts';
import { type Approval, selectOpenApprovals } from '../approvals/store.ts';
import type { AtlasPin, LoadedSet } from '../atlases/sets.ts';
import { governanceErrors } from '../errors.ts';
import { decidingAtlases } from '../impact/record-call.ts';
import { remainingOf } from '../policies/rules/applied-limits.ts';
import type { CompiledPolicy } from '../policies/rules/compile.ts';
import { effectiveTier } from '../policies/rules/tiers.ts';
import { selectUsage } from '../policies/store.ts';
import type { GovernanceDeps } from '../ports.ts';
import type { RiskTier } from '../schema.ts';
import { type TraceSpan, traceSpan } from '../traces/span.ts';
import {
  type Attempt,
  admitRequest,
  admitSession,
  attempt,
  recordRefusal,
  traceRefusal,
} from './admission.ts';
import { factsFor, recordedKnowledge } from './known-facts.ts';
import { redactBlocks } from './rules/context-blocks.ts';
import { resolutionDigest } from './rules/digest.ts';
import { askerOf, type ResolveInput, resolveInputOf } from './rules/input.ts';
import { limitsOf as limitsReported, type ResolutionDraft, resolve } from './rules/resolve.ts';
import type { AllowedAction, CarpRequest, CarpResolution, DeniedAction } from './schema.ts';
import { insertInput, insertResolution, selectCached, selectResolutionInput } from './store.ts';

export interface Admitted {
  readonly uow: UnitOfWork;
  readonly principal: Principal;
  readonly request: CarpRequest;
  readonly session: Session;
  readonly span: TraceSpan;
  readonly now: Micros;
}

/** One request from admission to answer, in one unit. A refusal is a value, so that its trace is kept. */
export async function resolveRequest(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  principal: Principal,
  request: CarpRequest,
  /** The only Atlas version that may decide. */
  pin?: AtlasPin,
): Promise<Attempt<CarpResolution>> {
  await uow.lock(`carp:${request.requester.session_id.toLowerCase()}`);
  const admitted = await attempt(() => admitSession(uow, deps, principal, request));
  if ('refused' in admitted) {
    await recordRefusal(uow, deps, principal, request, admitted.refused);
    return admitted;
  }
  const session = admitted.done;
  const span = traceSpan(uow, deps.journal, session, deps.ids());
  const now = deps.clock.now();
  const answered = await attempt(async () => {
    await admitRequest(uow, deps, session, request, now);
    const atlasIds = request.atlas_ids ?? (session.atlasId === null ? undefined : [session.atlasId]);
    const loaded = await deps.sets.load(uow, session.projectId, atlasIds);
    const [load, ...others] = loaded.loads.filter(({ rulesOnly }) => !rulesOnly);
    if (pin && (others.length > 0 || load?.digest !== pin.digest || load.mode !== pin.mode)) {
      throw governanceErrors.atlas_changed();
    }
    return loaded;
  });
  if ('refused' in answered) {
    await traceRefusal(span, request, answered.refused);
    return answered;
  }
  return { done: await answer(deps, { uow, principal, request, session, span, now }, answered.done) };
}

async function answer(deps: GovernanceDeps, admitted: Admitted, loaded: LoadedSet): Promise<CarpResolution> {
  const { redact, resolutionSeconds } = deps.settings;
  const { uow, request, session, span, now } = admitted;
  const input = resolveInputOf(request, session, {
    scopes: admitted.principal.scopes,
    now,
    asker: askerOf(admitted.principal, session.projectId),
    facts: await factsFor(uow, deps, loaded, session.projectId, now),
  });
  await span.emit('carp.request.received', {
    request_id: request.request_id,
    operation: request.operation,
    goal: redact(input.goal),
    atlas_ids: loaded.loads.filter(({ rulesOnly }) => !rulesOnly).map(({ atlasId }) => atlasId),
  });
  const keeps = request.operation === 'resolve';
  const asks = loaded.set.policies.approval.length > 0;
  const grants = asks ? await usableGrants(uow, admitted.principal, session, now) : [];
  const limits = limitsReported(loaded.set, input, session);
  const usage = await selectUsage(uow, limits, now);
  const openApprovals = async () =>
    asks ? selectOpenApprovals(uow, deps.payloads, session.sessionId, now) : [];
  const open = await openApprovals();
  const question = questionOf(input);
  const key = (approvals: readonly Approval[]) =>
    keyOf(deps, question, input, loaded, [
      grants.map(({ approvalId }) => approvalId),
      limits.map((limit) => [limit.key, remainingOf(limit, usage, now)]),
      approvals.map(({ approvalId, asked, expires }) => [approvalId, asked, expires]),
    ]);
  const cached = keeps
    ? await selectCached(uow, deps.payloads, session.sessionId, key(open), now)
    : undefined;
  if (cached) return answerCached(deps, admitted, loaded, input, cached.body, cached.expires);

  const whole = resolve(loaded.set, input, {
    projectId: session.projectId,
    sessionId: session.sessionId,
    ...(grants.length > 0 && {
      passes: (policy: CompiledPolicy, actionId: string, riskTier: RiskTier) =>
        coveringGrant(grants, needOf(policy, loaded.loads, [actionId], riskTier), undefined) !== undefined,
    }),
    usage,
    question,
  });
  const { draft, redacted } = redactBlocks(whole, redact);
  const resolutionId = deps.ids();
  const approvals = keeps
    ? await offerApprovals(deps, admitted, draft, { resolutionId, goal: input.goal, loaded, open })
    : new Map<CompiledPolicy, Approval>();
  const ttl = keeps ? resolutionSeconds : 0;
  const body = bodyOf(admitted, draft, { resolutionId, approvals, ttl });
  await span.emitAll('policy.evaluated', draft.evaluations);
  await span.emitAll(
    'context.injected',
    draft.blocks.map(({ block_id, source, token_estimate: token_count = 0 }) => ({
      block_id,
      source,
      token_count,
    })),
  );
  await span.emitAll(
    'context.redacted',
    redacted.map((block_id) => ({ block_id, redaction_reason: 'secret' })),
  );
  await span.emit('carp.resolution.completed', {
    resolution_id: resolutionId,
    request_id: request.request_id,
    decision_type: body.decision.type,
    allowed_count: body.allowed_actions.length,
    denied_count: body.denied_actions.length,
    context_block_count: body.context_blocks.length,
    ttl_seconds: ttl,
  });
  if (keeps) {
    await insertResolution(uow, deps.payloads, {
      projectId: session.projectId,
      sessionId: session.sessionId,
      body,
      created: now,
      expires: now + ttl * 1_000_000,
      // What it has just offered is open from now on.
      cacheKey: draft.timed ? null : key(approvals.size > 0 ? await openApprovals() : open),
    });
  }
  await recordInput(deps, admitted, loaded, input, resolutionId, resolutionDigest(deps.hasher, whole));
  if (keeps) await recordHandover(deps, admitted, loaded, body);
  return body;
}

async function answerCached(
  deps: GovernanceDeps,
  admitted: Admitted,
  loaded: LoadedSet,
  input: ResolveInput,
  body: CarpResolution,
  expires: Micros,
): Promise<CarpResolution> {
  const { now, request, span } = admitted;
  await span.emit('carp.resolution.cached', { resolution_id: body.resolution_id, cache_hit: true });
  // The same key is the same decision: what the first request was answered with need not be worked out again.
  const first = await selectResolutionInput(admitted.uow, deps.payloads, body.resolution_id);
  const digest = first?.resolution_digest ?? resolutionDigest(deps.hasher, resolve(loaded.set, input));
  await recordInput(deps, admitted, loaded, input, body.resolution_id, digest);
  return {
    ...body,
    request_id: request.request_id,
    timestamp: formatMicros(now),
    ttl_seconds: Math.floor((expires - now) / 1_000_000),
  };
}

/** Everything of a request that rules look at, except the clock. */
function questionOf(input: ResolveInput): string {
  const { agentId, subagent, riskTier, requiredCapabilities, context, scopes, asker } = input;
  const asked = [
    subagent === undefined ? agentId : [agentId, subagent],
    riskTier,
    requiredCapabilities,
    context,
    [...scopes].sort(),
    asker ?? null,
    (input.facts ?? []).map(({ digest, by }) => [digest, by.type, by.id]),
  ];
  return canonicalJcs(fromPlain(asked));
}

/** Everything that the answer depends on, except the clock: answers that depend on it are not cached. */
function keyOf(
  deps: GovernanceDeps,
  question: string,
  { goal, hints }: ResolveInput,
  loaded: LoadedSet,
  /** What was granted, spent and asked. */
  state: readonly unknown[],
): string {
  return deps.hasher.hex(JSON.stringify([question, goal, hints, loaded.key, state]));
}

/**
 * One approval for each rule that may be agreed to before the parameters are known, since each needs its own. Nobody is
 * asked yet: the agent may never run the actions that it learns about here.
 */
async function offerApprovals(
  deps: GovernanceDeps,
  { uow, session, principal }: Admitted,
  draft: ResolutionDraft,
  parts: {
    readonly resolutionId: string;
    readonly goal: string;
    readonly loaded: LoadedSet;
    readonly open: readonly Approval[];
  },
): Promise<Map<CompiledPolicy, Approval>> {
  const offered = new Map<CompiledPolicy, Approval>();
  const ahead = draft.waiting.filter((each) => each.ahead);
  if (ahead.length === 0) return offered;
  const { resolutionId, goal, loaded, open } = parts;
  for (const policy of new Set(ahead.map((each) => each.policy))) {
    const concerned = ahead.filter((each) => each.policy === policy);
    const actionIds = concerned.map(({ actionId }) => actionId);
    const riskTier = concerned.reduce<RiskTier>((tier, each) => effectiveTier(tier, each.riskTier), 'low');
    const need = needOf(policy, loaded.loads, actionIds, riskTier);
    const needed = { ...need, principal, session, resolutionId, policy, goal, open };
    offered.set(policy, await offerApproval(uow, deps, needed));
  }
  return offered;
}

function bodyOf(
  { request, session, now }: Admitted,
  draft: ResolutionDraft,
  parts: {
    readonly resolutionId: string;
    readonly approvals: ReadonlyMap<CompiledPolicy, Approval>;
    readonly ttl: number;
  },
): CarpResolution {
  const [first] = parts.approvals.values();
  // Constraints of this type are in the order in which the policies first wait.
  const asking = new Set(draft.waiting.map(({ policy }) => policy)).values();
  return {
    carp_version: '1.0',
    resolution_id: parts.resolutionId,
    request_id: request.request_id,
    timestamp: formatMicros(now),
    decision: {
      type: draft.outcome.type,
      reason: draft.outcome.reason,
      approval_id: first?.approvalId ?? null,
      expires_at: first?.expiresAt ?? null,
    },
    context_blocks: [...draft.blocks],
    allowed_actions: draft.allowed as AllowedAction[],
    denied_actions: draft.denied as DeniedAction[],
    constraints: draft.constraints.map((constraint) =>
      constraint.type === 'require_approval'
        ? {
            ...constraint,
            parameters: {
              approval_id: parts.approvals.get(asking.next().value as CompiledPolicy)?.approvalId ?? null,
              ...constraint.parameters,
            },
          }
        : constraint,
    ),
    ttl_seconds: parts.ttl,
    trace_id: session.traceId,
  };
}

async function recordInput(
  { payloads }: GovernanceDeps,
  { uow, request, session, now }: Admitted,
  loaded: LoadedSet,
  input: ResolveInput,
  resolutionId: string,
  digest: string,
): Promise<void> {
  await insertInput(
    uow,
    payloads,
    session.projectId,
    {
      inputs_version: '1',
      session_id: session.sessionId,
      request_id: request.request_id,
      resolution_id: resolutionId,
      agent_id: input.agentId,
      ...(input.subagent !== undefined && { subagent: input.subagent }),
      goal: input.goal,
      risk_tier: input.riskTier,
      context_hints: [...input.hints],
      required_capabilities: [...input.requiredCapabilities],
      context: { ...input.context },
      scopes: [...input.scopes].sort(),
      ...recordedKnowledge(input),
      decided_at: formatMicros(now),
      atlases: decidingAtlases(loaded.loads),
      resolution_digest: digest,
    },
    now,
  );
}

/** Records what the agent was given, by id and hash, so that `why` can find it later. */
async function recordHandover(
  deps: GovernanceDeps,
  { uow, session, span, request }: Admitted,
  loaded: LoadedSet,
  body: CarpResolution,
): Promise<void> {
  await deps.journal.append(uow, {
    chain: { sessionId: session.sessionId, kind: 'ledger' },
    type: 'resolution.handed',
    payload: {
      resolution_id: body.resolution_id,
      request_id: request.request_id,
      atlases: loaded.loads.map(({ atlasId, version, digest }) => ({ atlas_id: atlasId, version, digest })),
      blocks: body.context_blocks.map(({ block_id, source, content }) => ({
        block_id,
        source,
        sha256: deps.hasher.hex(content),
      })),
    },
    spanId: span.spanId,
    parentSpanId: session.rootSpanId,
  });
}
