import { type BoundedWork, unboundedWork } from '../../platform/bounded-work/bounded-work.ts';
import type { Identity } from '../../spine/identity/identity.ts';
import type { Principal } from '../../spine/identity/principal.ts';
import { type PayloadCodec, plainPayloads } from '../../spine/journal/events/payload-codec.ts';
import type { Handlers } from '../../spine/operations/handler.ts';
import type { UnitOfWork } from '../../spine/storage/database.ts';
import { approvalEffect } from './approvals/decide.ts';
import { createApprovalHandlers } from './approvals/handlers.ts';
import { APPROVAL_KIND } from './approvals/inbox-item.ts';
import { createAtlasHandlers } from './atlases/handlers.ts';
import { createAtlasCheck } from './atlases/judged-atlas.ts';
import { createAtlasSets } from './atlases/sets.ts';
import { createVersionStep } from './atlases/version-step.ts';
import { recoverExecutions } from './execution/execute.ts';
import { createExecutors, type Executor, echoExecutor } from './execution/executors.ts';
import { createExecutionHandlers } from './execution/handlers.ts';
import { createParameterJudge } from './execution/judged-parameters.ts';
import { GATEWAY_KIND, gatewayChangeEffect } from './gateway/changes.ts';
import { createImpactHandlers } from './impact/handlers.ts';
import type { governanceOperations } from './operations.ts';
import { createPermissionHandlers } from './permission/handlers.ts';
import type { FindFacts, GovernanceDeps, GovernanceSettings } from './ports.ts';
import { schemaHandlers } from './published-schemas/handlers.ts';
import { checkPolicy, type PolicyAnswer, type PolicyQuestion } from './resolution/check-policy.ts';
import { createResolutionHandlers } from './resolution/handlers.ts';
import { type CallJudgement, type ClientCall, judgeClientCall } from './resolution/judge-call.ts';
import { createSharedChecks, type SharedChecks } from './resolution/shared-checks.ts';
import { createSessionHandlers } from './sessions/handlers.ts';
import { createStandingHandlers } from './standing/handlers.ts';
import { createTraceHandlers } from './traces/handlers.ts';

/** What this slice takes from the spine. */
export interface GovernanceSpine
  extends Pick<GovernanceDeps, 'db' | 'clock' | 'ids' | 'hasher' | 'journal' | 'feed' | 'inbox'> {
  /** Without one, payloads are stored as they are. */
  readonly payloads?: PayloadCodec;
  readonly identity: Identity;
  /** Without it, expensive work is done on this thread: for what works on its user's own files. */
  readonly work?: BoundedWork;
}

export interface GovernanceOptions {
  /** Makes the executor of an http(s) address; without it, actions cannot name one. */
  readonly http?: (url: URL) => Executor;
  /** Without it, no rule finds a fact. */
  readonly facts?: FindFacts;
  readonly settings?: GovernanceSettings;
}

export interface Governance {
  /** For this slice's own handlers and its gateway. */
  readonly deps: GovernanceDeps;
  /**
   * Asks policy about a goal, or about one action, on behalf of another slice. Call it before the work is done, in the
   * unit that depends on the answer: the request is traced like any resolve, and where a person must approve first, the
   * question is in the inbox once the unit commits. A refusal is an answer, not an error.
   */
  checkPolicy(uow: UnitOfWork, principal: Principal, question: PolicyQuestion): Promise<PolicyAnswer>;
  /** The same outside any unit, for what asks the same again and again. */
  readonly sharedChecks: SharedChecks;
  /**
   * Judges a call that a client makes by itself, with everything it does. Call it before the call runs. What must be
   * asked is in the inbox once the unit commits, unless the client asks; a yes is spent by the judgement that allows.
   */
  judgeCall(uow: UnitOfWork, principal: Principal, call: ClientCall): Promise<CallJudgement>;
  /**
   * Closes executions that a dead process left running, and says how many there were. Call it at start and now and
   * then, outside any unit. An idempotent action is executed again; any other ends as `OUTCOME_UNKNOWN`.
   */
  recover(): Promise<number>;
}

/** Puts the slice together and registers its inbox items, so call it once for each open store. */
export function createGovernance(spine: GovernanceSpine, options: GovernanceOptions = {}): Governance {
  const { db, clock, ids, hasher, journal, feed, payloads = plainPayloads, inbox, identity } = spine;
  const { http, facts = async () => [], settings = {} } = options;
  const executors = createExecutors(http && { http });
  executors.register('echo', echoExecutor);
  const deps: GovernanceDeps = {
    db,
    clock,
    ids,
    hasher,
    journal,
    feed,
    payloads,
    inbox,
    executors,
    sessions: identity,
    record: identity.record,
    sets: createAtlasSets(),
    facts,
    judgeParameters: createParameterJudge(hasher),
    versionStep: createVersionStep(),
    checkAtlas: createAtlasCheck(hasher, settings.lenientAtlases ? 'lenient' : 'strict'),
    work: spine.work ?? unboundedWork,
    settings: {
      resolutionSeconds: Math.min(settings.resolutionSeconds ?? 3600, 86_400),
      clockSkewSeconds: settings.clockSkewSeconds ?? 300,
      approvalSeconds: settings.approvalSeconds ?? 3600,
      redact: settings.redact ?? ((text) => text),
      lenientAtlases: settings.lenientAtlases ?? false,
      strictVersions: settings.strictVersions ?? false,
    },
  };
  inbox.register(APPROVAL_KIND, approvalEffect(deps));
  inbox.register(GATEWAY_KIND, gatewayChangeEffect(deps));
  return {
    deps,
    checkPolicy: async (uow, principal, question) => {
      const { steady: _, ...answer } = await checkPolicy(uow, deps, principal, question);
      return answer;
    },
    sharedChecks: createSharedChecks(deps),
    judgeCall: (uow, principal, call) => judgeClientCall(uow, deps, principal, call),
    recover: () => recoverExecutions(deps),
  };
}

export function createGovernanceHandlers(deps: GovernanceDeps): Handlers<typeof governanceOperations> {
  return {
    ...createSessionHandlers(deps),
    ...createResolutionHandlers(deps),
    ...createExecutionHandlers(deps),
    ...createPermissionHandlers(deps),
    ...createApprovalHandlers(deps),
    ...createStandingHandlers(deps),
    ...createTraceHandlers(deps),
    ...createAtlasHandlers(deps),
    ...createImpactHandlers(deps),
    ...schemaHandlers,
  };
}
