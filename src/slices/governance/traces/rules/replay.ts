import type { Hasher } from '../../../../kernel/hasher.ts';
import { parseInstant } from '../../../../kernel/instant.ts';
import { asString } from '../../../../kernel/json/loose.ts';
import type { Atlas } from '../../atlases/rules/atlas.ts';
import { compilePolicies, type LoadedAtlas, loadKey, type PolicySet } from '../../policies/rules/compile.ts';
import { knowledgeOf } from '../../resolution/known-facts.ts';
import { resolutionDigest } from '../../resolution/rules/digest.ts';
import type { ResolveInput } from '../../resolution/rules/input.ts';
import { type ResolutionDraft, resolve } from '../../resolution/rules/resolve.ts';
import type { DecidingAtlas, RecordedInput } from '../schema.ts';
import { reconstructState, type SessionState, type TraceRecord } from './state.ts';

export interface ReplayedRequest {
  readonly request_id: string;
  /** `no_input`: the sidecar has no line for it. `no_atlas`: an Atlas of a recorded digest is missing. */
  readonly status: 'identical' | 'different' | 'no_input' | 'no_atlas';
  readonly recorded?: string;
  readonly replayed?: string;
  readonly missing?: readonly string[];
  readonly changed?: readonly {
    readonly action_id: string;
    readonly recorded: string;
    readonly replayed: string;
  }[];
}

export interface Replay {
  /** Every request was decided again with the same result. */
  readonly deterministic: boolean;
  readonly requests: readonly ReplayedRequest[];
  readonly state: SessionState;
}

/** Decides every recorded request again, from the inputs beside the trace and the Atlases of the recorded digests. */
export function replayTrace(
  events: readonly TraceRecord[],
  inputs: readonly RecordedInput[],
  atlasByDigest: (digest: string) => Atlas | undefined,
  hasher: Hasher,
): Replay {
  const byRequest = new Map(inputs.map((input) => [input.request_id, input]));
  const setFor = policySets();
  const evaluated = evaluationsByRequest(events);
  const requests = events
    .filter((event) => event.event_type === 'carp.request.received' && event.payload?.operation !== 'execute')
    .map((event): ReplayedRequest => {
      const requestId = asString(event.payload?.request_id) ?? '';
      const input = byRequest.get(requestId);
      if (!input) return { request_id: requestId, status: 'no_input' };
      const missing = input.atlases.map(({ digest }) => digest).filter((digest) => !atlasByDigest(digest));
      if (missing.length > 0) return { request_id: requestId, status: 'no_atlas', missing };
      const set = setFor(setKey(input), () =>
        input.atlases.map(({ digest, mode, rules_only: rulesOnly, guardrail }) => ({
          atlas: atlasByDigest(digest) as Atlas,
          mode,
          rulesOnly,
          guardrail,
        })),
      );
      const draft = redecide(set, input);
      const replayed = resolutionDigest(hasher, draft);
      const changed = changedEvaluations(evaluated.get(requestId), draft.evaluations);
      const same = replayed === input.resolution_digest && changed.length === 0;
      return {
        request_id: requestId,
        status: same ? 'identical' : 'different',
        recorded: input.resolution_digest,
        replayed,
        ...(changed.length > 0 && { changed }),
      };
    });
  return {
    deterministic: requests.every(({ status }) => status === 'identical'),
    requests,
    state: reconstructState(events),
  };
}

type Evaluated = { readonly action_id: string; readonly policy_id: string; readonly result: string };

/** A cached answer has no evaluations of its own. */
function evaluationsByRequest(events: readonly TraceRecord[]): Map<string, Evaluated[]> {
  const found = new Map<string, Evaluated[]>();
  let current: Evaluated[] | undefined;
  let last: string | undefined;
  for (const { event_type: type, payload } of events) {
    if (type === 'carp.request.received') {
      current = [];
      last = asString(payload?.request_id) ?? '';
      found.set(last, current);
    } else if (type === 'policy.evaluated') {
      current?.push({
        action_id: asString(payload?.action_id) ?? '',
        policy_id: asString(payload?.policy_id) ?? '',
        result: asString(payload?.result) ?? '',
      });
    } else if (type === 'carp.resolution.completed' || type === 'action.requested') {
      current = undefined;
    } else if (type === 'carp.resolution.cached') {
      current = undefined;
      if (last !== undefined) found.delete(last);
    }
  }
  return found;
}

function changedEvaluations(recorded: readonly Evaluated[] | undefined, replayed: readonly Evaluated[]) {
  if (!recorded) return [];
  const after = new Map(replayed.map((each) => [each.action_id, each]));
  const ids = new Set([...recorded.map(({ action_id }) => action_id), ...after.keys()]);
  const before = new Map(recorded.map((each) => [each.action_id, each]));
  const show = (each: Evaluated | undefined) => (each ? `${each.policy_id}` : 'none');
  return [...ids]
    .filter((id) => show(before.get(id)) !== show(after.get(id)))
    .map((id) => ({ action_id: id, recorded: show(before.get(id)), replayed: show(after.get(id)) }));
}

export function inputOfRecord(record: RecordedInput): ResolveInput {
  return {
    agentId: record.agent_id,
    ...(record.subagent !== undefined && { subagent: record.subagent }),
    goal: record.goal,
    riskTier: record.risk_tier,
    hints: record.context_hints,
    requiredCapabilities: record.required_capabilities,
    context: record.context,
    scopes: new Set(record.scopes),
    ...knowledgeOf(record),
    now: parseInstant(record.decided_at)?.micros ?? 0,
  };
}

export function redecide(set: PolicySet, record: RecordedInput): ResolutionDraft {
  return resolve(set, inputOfRecord(record));
}

/** Compiles each set of Atlases once, however many requests were decided by it. */
export function policySets(): (key: string, load: () => readonly LoadedAtlas[]) => PolicySet {
  const sets = new Map<string, PolicySet>();
  return (key, load) => {
    let set = sets.get(key);
    if (!set) {
      set = compilePolicies(load());
      sets.set(key, set);
    }
    return set;
  };
}

export function setKey(record: { readonly atlases: readonly DecidingAtlas[] }): string {
  return record.atlases
    .map(({ digest, mode, rules_only: rulesOnly, guardrail }) =>
      loadKey({ digest, mode, rulesOnly, guardrail }),
    )
    .join('\n');
}
