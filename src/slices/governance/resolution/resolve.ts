import type { Micros } from '../../../kernel/clock.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import { canonicalJcs } from '../../../kernel/json/canonical/jcs.ts';
import { fromPlain } from '../../../kernel/json/plain.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Session } from '../../../spine/identity/sessions/session.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import type { Approvals } from '../approvals/ask.ts';
import { type Approval, selectLiveApprovals } from '../approvals/store.ts';
import type { AtlasSets, LoadedSet } from '../atlases/sets.ts';
import { effectiveTier } from '../policies/rules/tiers.ts';
import { selectUsage } from '../policies/store.ts';
import type { GovernanceDeps } from '../ports.ts';
import type { Limits } from '../settings.ts';
import { resolutionDigest } from '../traces/rules/redecide.ts';
import { type TraceSpan, traceSpan } from '../traces/span.ts';
import { type Attempt, admitRequest, admitSession, attempt, recordRefusal } from './admission.ts';
import { redactBlocks } from './rules/context-blocks.ts';
import { type ResolveInput, resolveInputOf } from './rules/input.ts';
import { limitsOf as limitsReported, type ResolutionDraft, resolve } from './rules/resolve.ts';
import type { CarpRequest, CarpResolution } from './schema.ts';
import { insertInput, insertResolution, selectCached } from './store.ts';

export interface ResolveParts {
  readonly deps: GovernanceDeps;
  readonly limits: Limits;
  readonly sets: AtlasSets;
  readonly approvals: Approvals;
}

interface Admitted {
  readonly uow: UnitOfWork;
  readonly principal: Principal;
  readonly request: CarpRequest;
  readonly session: Session;
  readonly span: TraceSpan;
  readonly now: Micros;
}

/** One request from admission to answer, in one unit. What is refused is answered as a value: its trace stays. */
export async function resolveInUnit(
  parts: ResolveParts,
  uow: UnitOfWork,
  principal: Principal,
  request: CarpRequest,
): Promise<Attempt<CarpResolution>> {
  const { deps, limits } = parts;
  await uow.lock(`carp:${request.requester.session_id.toLowerCase()}`);
  const admitted = await attempt(() => admitSession(deps, uow, principal, request));
  if ('refused' in admitted) {
    await recordRefusal(deps, uow, principal, request, admitted.refused);
    return admitted;
  }
  const session = admitted.done;
  const span = traceSpan(deps.journal, uow, session, deps.ids());
  const now = deps.clock.now();
  const answered = await attempt(async () => {
    await admitRequest(uow, session, request, now, limits.clockSkewSeconds);
    const atlasIds = request.atlas_ids ?? (session.atlasId === null ? undefined : [session.atlasId]);
    return parts.sets.load(uow, session.projectId, atlasIds);
  });
  if ('refused' in answered) {
    await span.emit('error.occurred', {
      error_code: answered.refused.code.toUpperCase(),
      error_message: answered.refused.message,
      request_id: request.request_id,
    });
    return answered;
  }
  return { done: await answer(parts, { uow, principal, request, session, span, now }, answered.done) };
}

async function answer(parts: ResolveParts, admitted: Admitted, loaded: LoadedSet): Promise<CarpResolution> {
  const { deps, limits } = parts;
  const { uow, request, session, span, now } = admitted;
  const input = resolveInputOf(request, {
    goal: session.goal ?? '',
    scopes: admitted.principal.scopes,
    now,
  });
  await span.emit('carp.request.received', {
    request_id: request.request_id,
    operation: request.operation,
    goal: limits.redact(input.goal),
    atlas_ids: loaded.loads.map(({ atlasId }) => atlasId),
  });
  const keeps = request.operation === 'resolve';
  const cacheKey = keyOf(deps, input, loaded);
  const cached = keeps ? await selectCached(uow, deps.payloads, session.sessionId, cacheKey, now) : undefined;
  if (cached) return answerCached(deps, admitted, loaded, input, cached.body, cached.expires);

  const live = await selectLiveApprovals(uow, deps.payloads, session.sessionId, now);
  const granted = live.filter((each) => each.status === 'approved' && each.covers === 'session');
  const whole = resolve(loaded.set, input, {
    sessionId: session.sessionId,
    approved: new Set(granted.flatMap(({ actionIds }) => actionIds)),
    usage: await selectUsage(uow, limitsReported(loaded.set, input, session.sessionId), now),
  });
  const { draft, redacted } = redactBlocks(whole, limits.redact);
  const resolutionId = deps.ids();
  const approvals = keeps ? await offered(parts, admitted, draft, { resolutionId, input, live }) : [];
  const ttl = keeps ? limits.resolutionSeconds : 0;
  const body = bodyOf(admitted, draft, { resolutionId, approvals, ttl });
  for (const evaluation of draft.evaluations) await span.emit('policy.evaluated', { ...evaluation });
  for (const block of draft.blocks) {
    await span.emit('context.injected', {
      block_id: block.block_id,
      source: block.source,
      token_count: block.token_estimate ?? 0,
    });
  }
  for (const blockId of redacted) {
    await span.emit('context.redacted', { block_id: blockId, redaction_reason: 'secret' });
  }
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
      cacheKey: draft.momentary ? null : cacheKey,
    });
  }
  await remember(deps, admitted, loaded, input, resolutionId, resolutionDigest(deps.hasher, whole));
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
  const digest = resolutionDigest(deps.hasher, resolve(loaded.set, input));
  await remember(deps, admitted, loaded, input, body.resolution_id, digest);
  return {
    ...body,
    request_id: request.request_id,
    timestamp: formatMicros(now),
    ttl_seconds: Math.floor((expires - now) / 1_000_000),
  };
}

/** Everything the answer depends on but the hour and the quotas: answers that depend on those are not kept. */
function keyOf(deps: GovernanceDeps, input: ResolveInput, loaded: LoadedSet): string {
  const { agentId, goal, riskTier, hints, requiredCapabilities, context, scopes } = input;
  const facts = [
    agentId,
    goal,
    riskTier,
    hints,
    requiredCapabilities,
    context,
    [...scopes].sort(),
    loaded.key,
  ];
  return deps.hasher.hex(canonicalJcs(fromPlain(facts)));
}

/**
 * One approval for each rule that wants one: rules may name different approvers. Nobody is asked yet, since the agent
 * may never want to run what it is told about here.
 */
async function offered(
  parts: ResolveParts,
  { uow, session }: Admitted,
  draft: ResolutionDraft,
  asked: {
    readonly resolutionId: string;
    readonly input: ResolveInput;
    readonly live: readonly Approval[];
  },
): Promise<Approval[]> {
  const { resolutionId, input, live } = asked;
  const policies = new Set(draft.waiting.map(({ policy }) => policy));
  const approvals: Approval[] = [];
  for (const policy of policies) {
    const actionIds = draft.waiting.filter((each) => each.policy === policy).map(({ actionId }) => actionId);
    const riskTier = draft.allowed
      .filter(({ action_id }) => actionIds.includes(action_id))
      .reduce((tier, action) => effectiveTier(tier, action.risk_tier), input.riskTier);
    approvals.push(
      await parts.approvals.offer(uow, {
        session,
        resolutionId,
        actionIds,
        policy,
        riskTier,
        goal: input.goal,
        live,
      }),
    );
  }
  return approvals;
}

function bodyOf(
  { request, session, now }: Admitted,
  draft: ResolutionDraft,
  made: {
    readonly resolutionId: string;
    readonly approvals: readonly Approval[];
    readonly ttl: number;
  },
): CarpResolution {
  const [first] = made.approvals;
  return {
    carp_version: '1.0',
    resolution_id: made.resolutionId,
    request_id: request.request_id,
    timestamp: formatMicros(now),
    decision: {
      type: draft.outcome.type,
      reason: draft.outcome.reason,
      approval_id: first?.approvalId ?? null,
      expires_at: first?.expiresAt ?? null,
    },
    context_blocks: [...draft.blocks],
    allowed_actions: [...draft.allowed],
    denied_actions: [...draft.denied],
    constraints: draft.constraints.map((constraint) =>
      constraint.type === 'require_approval'
        ? {
            ...constraint,
            parameters: {
              approval_id: approvalOf(made.approvals, constraint.constraint_id),
              ...constraint.parameters,
            },
          }
        : constraint,
    ),
    ttl_seconds: made.ttl,
    trace_id: session.traceId,
  };
}

function approvalOf(approvals: readonly Approval[], policyId: string): string | null {
  return approvals.find((each) => each.policyId === policyId)?.approvalId ?? null;
}

async function remember(
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
      goal: input.goal,
      risk_tier: input.riskTier,
      context_hints: [...input.hints],
      required_capabilities: [...input.requiredCapabilities],
      context: { ...input.context },
      scopes: [...input.scopes].sort(),
      decided_at: formatMicros(now),
      atlases: loaded.loads.map(({ atlasId, version, digest: content, mode }) => ({
        atlas_id: atlasId,
        version,
        digest: content,
        mode,
      })),
      resolution_digest: digest,
    },
    now,
  );
}

/** What the agent was given to know, by id and hash, so that one can ask later. */
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
