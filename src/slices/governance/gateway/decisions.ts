import { BatonError } from '../../../kernel/error.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import { fromPlain } from '../../../kernel/json/plain.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { inline } from '../../../kernel/quoted.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { jobErrors } from '../../../spine/jobs/errors.ts';
import { governanceErrors } from '../errors.ts';
import { executeRequest } from '../execution/execute.ts';
import type { Executor } from '../execution/executors.ts';
import type { ExecuteResponse } from '../execution/schema.ts';
import type { GovernanceDeps } from '../ports.ts';
import { settle } from '../resolution/admission.ts';
import { resolveRequest } from '../resolution/resolve.ts';
import type { CarpRequest, CarpResolution } from '../resolution/schema.ts';
import { waitForApprovals } from './approval-wait.ts';
import type { AtlasInForce, PinnedAtlas } from './atlas-in-force.ts';
import type { Outcomes } from './outcomes.ts';
import type { Params } from './rpc.ts';

export interface DecisionsDeps {
  readonly deps: GovernanceDeps;
  readonly principal: Principal;
  readonly atlas: PinnedAtlas;
  readonly outcomes: Outcomes;
  readonly session: { readonly sessionId: string; readonly agentId: string };
  readonly goal: string;
  readonly approvalWaitMs: number;
  readonly callSeconds: number;
}

export interface GovernedCall {
  readonly actionId: string;
  readonly parameters: Params;
  /** Fires when whoever called no longer wants the answer. */
  readonly signal: AbortSignal;
  /** The effect itself. */
  run(signal: AbortSignal): Promise<Params>;
  /** A person is asked, and the call is held meanwhile. */
  held?(approvalIds: readonly string[]): void;
}

export type Ruling =
  | { readonly kind: 'ran'; readonly result: Params }
  /** In words for the agent. */
  | { readonly kind: 'refused'; readonly text: string };

/** How long a call is tried again while its Atlas changes under it. */
const PATIENCE_MS = 10_000;
const REPINNED: ReadonlySet<string> = new Set([
  'atlas_changed',
  'resolution_expired',
  'resolution_not_found',
  'atlas_not_found',
]);
/** A resolution is not used in the last moments of its life. */
const SPARE_SECONDS = 5;

interface Resolved {
  readonly atlas: AtlasInForce;
  readonly resolution: CarpResolution;
  readonly expires: number;
}

/**
 * Decides the calls of one client. Each is decided by the Atlas version that the gateway has pinned, in the unit that
 * records its intent; where another is in force by then nothing has happened, and the new one is pinned and asked.
 */
export class Decisions {
  readonly #given: DecisionsDeps;
  #resolved: Resolved | undefined;

  constructor(given: DecisionsDeps) {
    this.#given = given;
  }

  /** What the agent may do now; undefined where no Atlas is loaded. */
  async allowed(): Promise<
    { readonly atlas: AtlasInForce; readonly actionIds: ReadonlySet<string> } | undefined
  > {
    const resolved = await this.#repeatedly(async (atlas) => this.#resolve(atlas));
    return (
      resolved && {
        atlas: resolved.atlas,
        actionIds: new Set(resolved.resolution.allowed_actions.map(({ action_id }) => action_id)),
      }
    );
  }

  async call(call: GovernedCall): Promise<Ruling> {
    const until = performance.now() + this.#given.approvalWaitMs;
    for (;;) {
      const attempt = new Attempt(call);
      const body = await this.#repeatedly((atlas) => this.#execute(atlas, call, attempt));
      if (!body) return { kind: 'refused', text: NOT_ACCEPTED };
      if (attempt.thrown) throw attempt.thrown.error;
      if (attempt.result) return { kind: 'ran', result: attempt.result };
      if (body.status !== 'pending_approval') return { kind: 'refused', text: refusalText(body) };
      const refused = await this.#hold(call, body, until - performance.now());
      if (refused !== undefined) return { kind: 'refused', text: refused };
    }
  }

  /** With the version that is pinned, and with the next where that is no longer in force. */
  async #repeatedly<T>(work: (atlas: AtlasInForce) => Promise<T>): Promise<T | undefined> {
    const { atlas } = this.#given;
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      const pinned = atlas.current ?? (await atlas.repin());
      if (!pinned) return undefined;
      try {
        return await work(pinned);
      } catch (error) {
        if (!(error instanceof BatonError) || !REPINNED.has(error.code) || performance.now() > until)
          throw error;
      }
      this.#resolved = undefined;
      await atlas.repin();
    }
  }

  async #execute(atlas: AtlasInForce, call: GovernedCall, attempt: Attempt): Promise<ExecuteResponse> {
    const { deps, principal, outcomes, callSeconds } = this.#given;
    const resolution = await this.#resolutionFor(atlas, call.actionId);
    const request: CarpRequest = {
      ...this.#request('execute', atlas),
      execution: {
        resolution_id: resolution.resolution_id,
        action_id: call.actionId,
        parameters: { ...call.parameters },
      },
    };
    outcomes.write();
    const { body } = await executeRequest(
      deps,
      principal,
      { request, parameters: fromPlain(call.parameters) as JsonObject },
      {
        atlas: atlas.pin,
        executor: attempt.executor,
        timeoutSeconds: callSeconds,
        flush: isHarmless(atlas, call.actionId) ? 'soon' : 'now',
        later: (record) => outcomes.add(record),
      },
    );
    return body;
  }

  /** A denial may have been a matter of the hour, so it is not taken from an earlier resolution. */
  async #resolutionFor(atlas: AtlasInForce, actionId: string): Promise<CarpResolution> {
    const known = this.#resolved;
    if (known && known.atlas === atlas && known.expires > this.#given.deps.clock.now()) {
      const { allowed_actions: allowed } = known.resolution;
      if (allowed.some(({ action_id }) => action_id === actionId)) return known.resolution;
    }
    return (await this.#resolve(atlas)).resolution;
  }

  async #resolve(atlas: AtlasInForce): Promise<Resolved> {
    const { deps, principal } = this.#given;
    const request = this.#request('resolve', atlas);
    const resolution = settle(
      await deps.db.write((uow) => resolveRequest(uow, deps, principal, request, atlas.pin)),
    );
    const expires = deps.clock.now() + (resolution.ttl_seconds - SPARE_SECONDS) * 1_000_000;
    this.#resolved = { atlas, resolution, expires };
    return this.#resolved;
  }

  #request(operation: CarpRequest['operation'], { pin }: AtlasInForce): CarpRequest {
    const { deps, session, goal } = this.#given;
    return {
      carp_version: '1.0',
      request_id: deps.ids(),
      timestamp: formatMicros(deps.clock.now()),
      operation,
      requester: { agent_id: session.agentId, session_id: session.sessionId },
      task: { goal },
      atlas_ids: [pin.atlasId],
    };
  }

  /** Undefined when everybody has agreed, and the call is to be made again. */
  async #hold(call: GovernedCall, body: ExecuteResponse, waitMs: number): Promise<string | undefined> {
    const { approvals = [] } = (body.error?.details ?? {}) as { approvals?: { approval_id: string }[] };
    const ids = approvals.map(({ approval_id }) => approval_id);
    if (waitMs > 0) call.held?.(ids);
    const waited = await waitForApprovals(this.#given.deps, ids, waitMs, call.signal);
    if (waited.kind === 'approved') return undefined;
    if (waited.kind === 'nobody') return nobodyAnswered(ids);
    const { approver, decisionReason, approvalId } = waited.approval;
    if (approver === null) return `Nobody answered ${approvalId} in time. Repeat the call to ask again.`;
    return `${approver} refused this call (${approvalId})${decisionReason ? `: ${inline(decisionReason, 300)}` : ''}. Do not repeat it.`;
  }
}

const NOT_ACCEPTED =
  'Nobody has accepted the tools of this gateway yet; this is not a refusal. The question waits in the inbox; go on elsewhere and try again later.';

function nobodyAnswered(ids: readonly string[]): string {
  const wait = ids.length === 1 ? 'waits' : 'wait';
  return `Nobody has answered; this is not a refusal. ${ids.join(', ')} ${wait}; go on elsewhere and repeat the same call later.`;
}

/** What came of the effect itself, which the client gets as the server gave it. */
class Attempt {
  readonly #call: GovernedCall;
  result: Params | undefined;
  thrown: { readonly error: unknown } | undefined;

  constructor(call: GovernedCall) {
    this.#call = call;
  }

  readonly executor: Executor = async ({ signal }) => {
    const call = this.#call;
    let result: Params;
    try {
      result = await call.run(AbortSignal.any([signal, call.signal]));
    } catch (error) {
      if (signal.aborted) throw error;
      this.thrown = { error };
      if (call.signal.aborted)
        throw jobErrors.outcome_unknown({ message: 'The client cancelled the call while it ran.' });
      throw error;
    }
    this.result = result;
    if (result.isError === true) throw governanceErrors.execution_error({ message: firstText(result) });
    return result;
  };
}

function firstText({ content }: Params): string {
  const [first] = Array.isArray(content) ? (content as readonly { readonly text?: unknown }[]) : [];
  return typeof first?.text === 'string' ? first.text : 'The tool failed.';
}

/**
 * To lose the record of a call in a power failure is tolerable only where the call could be made again without harm, and
 * nothing was spent on it.
 */
function isHarmless(atlas: AtlasInForce, actionId: string): boolean {
  const action = atlas.action(actionId);
  if (!action?.action.idempotent) return false;
  const { approval, rate, budget } = action.candidates;
  return approval.length + rate.length + budget.length === 0;
}

function refusalText({ error }: ExecuteResponse): string {
  const { policy_id: policy, reason, retry_after_seconds: seconds } = error?.details ?? {};
  const said = error?.message ?? 'The call failed.';
  const why = reason === undefined || said.includes(String(reason)) ? '' : ` ${reason} (policy ${policy}).`;
  const later = seconds === undefined ? '' : ` Try again in ${seconds} s.`;
  return `${error?.code}: ${said}${why}${later}`;
}
