import type { LooseRecord } from '../../../kernel/json/loose.ts';

export const BARRIER_TYPES = [
  'all_repos_accepted',
  'ordered_repo_sequence',
  'interface_alignment',
  'named_decisions',
  'shared_human_gate',
] as const;
export type BarrierType = (typeof BARRIER_TYPES)[number];
export type BarrierStatus = 'pending' | 'partially_satisfied' | 'satisfied';

export interface Workstream {
  readonly phase: string;
  readonly repos: readonly string[];
  readonly entry_repo: string;
  readonly depends_on: readonly string[];
  readonly completion_barrier: BarrierType;
  readonly decisionIdsByRepo: Readonly<Record<string, readonly string[]>>;
}

export interface CoordinatorConfig {
  readonly project: { readonly id: string; readonly name: string };
  readonly repos: Readonly<Record<string, { readonly path: string; readonly required: boolean }>>;
  readonly workstreams: Readonly<Record<string, Workstream>>;
  readonly phases: readonly string[];
  readonly entryWorkstreams: Readonly<Record<string, string>>;
  readonly gates: Readonly<
    Record<string, { readonly requiresHumanApproval: boolean; readonly repos: readonly string[] }>
  >;
}

export interface Barrier extends LooseRecord {
  readonly type: BarrierType;
  readonly workstream_id: string;
  readonly status: BarrierStatus;
  readonly required_repos: readonly string[];
  readonly satisfied_repos: readonly string[];
  readonly required_decision_ids_by_repo?: Readonly<Record<string, readonly string[]>>;
  /** The older name of the same map. */
  readonly alignment_decision_ids?: Readonly<Record<string, readonly string[]>>;
}

export type Barriers = Readonly<Record<string, Barrier>>;

export interface PendingCoordinatorGate {
  readonly kind: 'phase_transition' | 'run_completion';
  readonly gate: string;
  readonly from: string;
  readonly to: string | null;
  readonly barrier_ids: readonly string[];
  readonly requested_at: string;
}

/** `.agentxchain/multirepo/state.json`. */
export interface CoordinatorState extends LooseRecord {
  readonly schema_version: '0.1';
  readonly super_run_id: string;
  readonly project_id: string;
  readonly status: 'active' | 'paused' | 'blocked' | 'completed';
  readonly phase: string;
  readonly repo_runs: Readonly<Record<string, { readonly run_id: string; readonly status: string }>>;
  readonly pending_gate: PendingCoordinatorGate | null;
  readonly phase_gate_status: Readonly<Record<string, string>>;
  readonly blocked_reason?: string | null;
}

/** A repository's accepted turn as the coordinator records it. */
export interface Projection extends LooseRecord {
  readonly type: 'acceptance_projection';
  readonly projection_ref: string;
  readonly workstream_id: string;
  readonly repo_id: string;
  readonly repo_turn_id: string;
  readonly files_changed: readonly string[];
  readonly decisions: readonly unknown[];
}
