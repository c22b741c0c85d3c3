import { asString } from '../../../../kernel/json/loose.ts';
/** The parts of an event that rules over traces read; parsed and stored events both have them. */
export interface TraceRecord {
  readonly event_type: string;
  readonly payload: Readonly<Record<string, unknown>> | null;
  readonly span_id?: string;
  readonly session_id?: string;
  readonly sequence?: number;
  readonly timestamp?: string;
}

export interface ActionState {
  readonly action_id: string;
  /** `waiting`: a person has to agree first. */
  readonly status: 'requested' | 'waiting' | 'approved' | 'executed' | 'denied' | 'failed';
  readonly execution_id: string | null;
  readonly detail: string | null;
}

export interface SessionState {
  readonly session_id: string | null;
  readonly agent_id: string | null;
  readonly goal: string | null;
  readonly status: 'unknown' | 'active' | 'ended';
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly end_reason: string | null;
  readonly requests: readonly {
    readonly request_id: string;
    readonly operation: string;
    readonly goal: string;
  }[];
  readonly resolutions: readonly {
    readonly resolution_id: string;
    readonly decision_type: string | null;
    readonly cached: boolean;
  }[];
  readonly actions: readonly ActionState[];
  readonly evaluations: readonly {
    readonly policy_id: string;
    readonly action_id: string | null;
    readonly result: string;
  }[];
  readonly violations: readonly { readonly policy_id: string; readonly violation_type: string }[];
  readonly context: readonly { readonly block_id: string; readonly source: string }[];
  readonly errors: readonly { readonly error_code: string; readonly error_message: string }[];
  readonly event_count: number;
}

/** Rebuilds the state of a session from its events alone. */
export function reconstructState(events: Iterable<TraceRecord>): SessionState {
  const state = {
    session_id: null as string | null,
    agent_id: null as string | null,
    goal: null as string | null,
    status: 'unknown' as SessionState['status'],
    started_at: null as string | null,
    ended_at: null as string | null,
    end_reason: null as string | null,
    requests: [] as SessionState['requests'][number][],
    resolutions: [] as SessionState['resolutions'][number][],
    evaluations: [] as SessionState['evaluations'][number][],
    violations: [] as SessionState['violations'][number][],
    context: [] as SessionState['context'][number][],
    errors: [] as SessionState['errors'][number][],
    event_count: 0,
  };
  const actions: Followed[] = [];
  for (const event of events) {
    const payload = event.payload ?? {};
    const text = (member: string) => asString(payload[member]) ?? '';
    state.event_count += 1;
    state.session_id ??= event.session_id ?? null;
    switch (event.event_type) {
      case 'session.started':
        Object.assign(state, { agent_id: text('agent_id'), goal: text('goal'), status: 'active' });
        state.started_at = event.timestamp ?? null;
        break;
      case 'session.ended':
        Object.assign(state, { status: 'ended', end_reason: text('reason') });
        state.ended_at = event.timestamp ?? null;
        break;
      case 'carp.request.received':
        state.requests.push({
          request_id: text('request_id'),
          operation: text('operation'),
          goal: text('goal'),
        });
        break;
      case 'carp.resolution.completed':
      case 'carp.resolution.cached':
        state.resolutions.push({
          resolution_id: text('resolution_id'),
          decision_type: asString(payload.decision_type) ?? null,
          cached: event.event_type === 'carp.resolution.cached',
        });
        break;
      case 'policy.evaluated':
        state.evaluations.push({
          policy_id: text('policy_id'),
          action_id: asString(payload.action_id) ?? null,
          result: text('result'),
        });
        if (payload.effect === 'require_approval' && payload.result === 'deny') wait(actions, event);
        break;
      case 'policy.violated':
        state.violations.push({ policy_id: text('policy_id'), violation_type: text('violation_type') });
        break;
      case 'context.injected':
        state.context.push({ block_id: text('block_id'), source: text('source') });
        break;
      case 'error.occurred':
        state.errors.push({ error_code: text('error_code'), error_message: text('error_message') });
        break;
      default:
        if (event.event_type.startsWith('action.')) advance(actions, event);
    }
  }
  return { ...state, actions: actions.map((each) => each.state) };
}

interface Followed {
  key: string;
  /** The parameters of the call, by their hash. */
  readonly hash: string | undefined;
  state: ActionState;
}

/** What was requested in this span is not refused for good: a person is asked. */
function wait(actions: Followed[], event: TraceRecord): void {
  const payload = event.payload ?? {};
  const key = `${event.span_id ?? ''} ${asString(payload.action_id) ?? ''}`;
  const call = actions.findLast((each) => each.key === key && each.state.status === 'requested');
  if (call) call.state = { ...call.state, status: 'waiting', detail: asString(payload.policy_id) ?? null };
}

/** Events of one call share a span; without spans, an event belongs to the last open call of its action. */
function advance(actions: Followed[], event: TraceRecord): void {
  const payload = event.payload ?? {};
  const actionId = asString(payload.action_id) ?? '';
  const status = event.event_type.slice('action.'.length) as ActionState['status'];
  const key = `${event.span_id ?? ''} ${actionId}`;
  const hash = asString(payload.parameters_hash);
  const at = status === 'requested' ? sameWaiting(actions, actionId, hash) : callOf(actions, actionId, key);
  const before = actions[at];
  const next = {
    key,
    hash: hash ?? before?.hash,
    state: {
      action_id: actionId,
      status,
      execution_id: asString(payload.execution_id) ?? before?.state.execution_id ?? null,
      detail: asString(payload.reason) ?? asString(payload.error_code) ?? null,
    },
  };
  if (at >= 0) actions[at] = next;
  else actions.push(next);
}

/** The same call made again is the one that waited. */
function sameWaiting(actions: readonly Followed[], actionId: string, hash: string | undefined): number {
  return actions.findLastIndex(
    ({ state, hash: asked }) =>
      state.status === 'waiting' && state.action_id === actionId && hash !== undefined && asked === hash,
  );
}

function callOf(actions: readonly Followed[], actionId: string, key: string): number {
  const own = actions.findLastIndex((each) => each.key === key);
  return own >= 0 ? own : actions.findLastIndex(({ state }) => state.action_id === actionId && isOpen(state));
}

function isOpen({ status }: ActionState): boolean {
  return status === 'requested' || status === 'waiting' || status === 'approved';
}
