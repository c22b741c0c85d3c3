/** The document `.agentxchain/state.json`, in the protocol's own names because it is written as it is. */
export interface RunState {
  readonly schema_version: '1.1';
  readonly run_id: string | null;
  readonly project_id: string | null;
  readonly status: RunStatus;
  readonly phase: string;
  readonly phase_entered_at: string | null;
  readonly created_at: string | null;
  readonly completed_at: string | null;
  readonly accepted_integration_ref: string | null;
  readonly active_turns: Readonly<Record<string, ActiveTurn>>;
  readonly turn_sequence: number;
  readonly accepted_sequence: number;
  readonly last_completed_turn_id: string | null;
  readonly blocked_on: string | null;
  readonly blocked_reason: BlockedReason | null;
  readonly escalation: Escalation | null;
  readonly pending_phase_transition: PendingTransition | null;
  readonly pending_run_completion: PendingCompletion | null;
  readonly queued_phase_transition: QueuedTransition | null;
  readonly queued_run_completion: QueuedCompletion | null;
  readonly last_gate_failure: GateFailure | null;
  readonly phase_gate_status: Readonly<Record<string, 'pending' | 'passed' | 'failed'>>;
  readonly budget_reservations: Readonly<Record<string, number>>;
  readonly budget_status: { readonly spent_usd: number; readonly remaining_usd: number | null };
  readonly next_recommended_role: string | null;
  readonly delegation_queue: readonly DelegationEntry[];
  readonly pending_delegation_review: DelegationReview | null;
  readonly repo_decisions: readonly unknown[];
  readonly provenance: Provenance | null;
  readonly inherited_context: unknown;
}

export type RunStatus = 'idle' | 'active' | 'paused' | 'blocked' | 'completed' | 'failed';

export type TurnStatus =
  | 'assigned'
  | 'dispatched'
  | 'starting'
  | 'running'
  | 'retrying'
  | 'failed'
  | 'conflicted'
  | 'failed_acceptance'
  | 'failed_start'
  | 'stalled';

export interface ActiveTurn {
  readonly turn_id: string;
  readonly run_id: string | null;
  readonly assigned_role: string;
  readonly runtime_id: string;
  readonly status: TurnStatus;
  readonly attempt: number;
  readonly assigned_at: string | null;
  readonly started_at: string | null;
  readonly deadline_at: string | null;
  readonly baseline: Baseline | null;
  readonly assigned_sequence: number;
  readonly concurrent_with: readonly string[];
  readonly delegation_context?: DelegationContext;
  readonly delegation_review?: DelegationReview;
  readonly last_rejection?: Rejection;
  readonly conflict_state?: ConflictState;
  readonly conflict_context?: ConflictRecord;
  readonly work?: TurnWork;
}

/** The repository when the turn was assigned, in the form that every runner of the protocol writes. */
export interface Baseline {
  readonly kind: 'git_worktree' | 'no_git';
  readonly head_ref: string | null;
  readonly clean: boolean;
  readonly captured_at: string | null;
  /** Paths that had already changed: `sha256:<hex>`, or `deleted`. */
  readonly dirty_snapshot: Readonly<Record<string, string>>;
  /** Ours: the content hashes of the documents that gates read, null for one that was not there. */
  readonly documents: Readonly<Record<string, string | null>>;
}

/** Ours: where a turn works, for whoever looks. What counts is in its lease. */
export interface TurnWork {
  readonly kind: 'tree' | 'in_place';
  readonly path: string | null;
  readonly why: string | null;
}

export interface Rejection {
  readonly reason: string;
  readonly validation_errors: readonly string[];
  readonly failed_stage: string | null;
}

export interface ConflictRecord {
  readonly conflicting_files: readonly string[];
  readonly accepted_since: readonly string[];
  readonly overlap_ratio: number;
  readonly suggested_resolution: 'reject_and_reassign' | 'human_merge';
}

export interface ConflictState extends ConflictRecord {
  readonly detections: number;
  readonly detected_at: string;
}

export interface BlockedReason {
  readonly category: string;
  readonly recovery: Recovery;
  readonly turn_id: string | null;
  readonly blocked_at: string;
}

export interface Recovery {
  readonly typed_reason: string;
  readonly owner: 'human' | 'orchestrator';
  /** The command to run next. */
  readonly recovery_action: string;
  readonly turn_retained: boolean;
  readonly detail: string;
}

export interface Escalation {
  readonly reason: string;
  readonly role: string | null;
  readonly raised_at: string;
}

export interface PendingTransition {
  readonly gate: string;
  readonly from: string;
  readonly to: string;
  readonly requested_by_turn?: string;
  readonly requested_at?: string;
}

export interface PendingCompletion extends Omit<PendingTransition, 'from' | 'to'> {
  readonly phase?: string;
}

export interface QueuedTransition {
  readonly from: string;
  readonly to: string;
  readonly requested_by_turn: string;
}

export interface QueuedCompletion {
  readonly requested_by_turn: string;
}

export interface GateFailure {
  readonly gate: string;
  readonly phase: string;
  readonly reasons: readonly string[];
  readonly failed_at: string;
}

export interface Provenance {
  readonly trigger: string;
  readonly parent_run_id: string | null;
  readonly trigger_reason: string | null;
  readonly intake_intent_id: string | null;
  readonly created_by: string | null;
}

/** What one run is for: taken from the intake queue or a schedule. */
export interface Intent {
  readonly id: string;
  readonly title: string;
  readonly body: string;
}

/** The state with this turn in place of what it was, or added. */
export function withTurn(state: RunState, turn: ActiveTurn): RunState {
  return { ...state, active_turns: { ...state.active_turns, [turn.turn_id]: turn } };
}

export function idleState(projectId: string | null, firstPhase: string): RunState {
  return {
    schema_version: '1.1',
    run_id: null,
    project_id: projectId,
    status: 'idle',
    phase: firstPhase,
    phase_entered_at: null,
    created_at: null,
    completed_at: null,
    accepted_integration_ref: null,
    active_turns: {},
    turn_sequence: 0,
    accepted_sequence: 0,
    last_completed_turn_id: null,
    blocked_on: null,
    blocked_reason: null,
    escalation: null,
    pending_phase_transition: null,
    pending_run_completion: null,
    queued_phase_transition: null,
    queued_run_completion: null,
    last_gate_failure: null,
    phase_gate_status: {},
    budget_reservations: {},
    budget_status: { spent_usd: 0, remaining_usd: null },
    next_recommended_role: null,
    delegation_queue: [],
    pending_delegation_review: null,
    repo_decisions: [],
    provenance: null,
    inherited_context: null,
  };
}

export interface Delegation {
  readonly id: string;
  readonly to_role: string;
  readonly charter: string;
  readonly acceptance_contract: readonly string[];
  readonly required_decision_ids?: readonly string[];
}

export interface DelegationEntry {
  readonly delegation_id: string;
  readonly parent_turn_id: string;
  readonly parent_role: string;
  readonly to_role: string;
  readonly charter: string;
  readonly acceptance_contract: readonly string[];
  readonly required_decision_ids: readonly string[];
  readonly status: 'pending' | 'active' | 'completed' | 'failed';
  readonly child_turn_id: string | null;
  readonly result?: DelegationResult;
}

export interface DelegationResult {
  readonly summary: string;
  readonly status: string;
  readonly files_changed: readonly string[];
  readonly verification: string;
  readonly satisfied_decision_ids: readonly string[];
  readonly missing_decision_ids: readonly string[];
}

/** What a child turn is told about the work delegated to it. */
export type DelegationContext = Omit<DelegationEntry, 'to_role' | 'status' | 'child_turn_id' | 'result'>;

/** What the parent role reviews once all its children are done. */
export interface DelegationReview {
  readonly parent_turn_id: string;
  readonly parent_role: string;
  readonly delegations: readonly (DelegationResult &
    Pick<DelegationEntry, 'delegation_id' | 'to_role' | 'child_turn_id'>)[];
}
