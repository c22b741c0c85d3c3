import type { Delegation } from '../run-state.ts';

/** A staged result that has passed the schema stage. Unknown members are kept but never relied on. */
export interface TurnResult {
  readonly schema_version: '1.0';
  readonly run_id: string;
  readonly turn_id: string;
  readonly role: string;
  readonly runtime_id: string;
  readonly status: ResultStatus;
  readonly summary: string;
  readonly decisions: readonly Decision[];
  readonly objections: readonly Objection[];
  readonly files_changed: readonly string[];
  readonly verification: Verification;
  readonly artifact: { readonly type: ArtifactType; readonly ref?: string | null };
  readonly proposed_next_role: string;
  readonly artifacts_created?: readonly string[];
  readonly phase_transition_request?: string | null;
  readonly run_completion_request?: boolean | null;
  readonly needs_human_reason?: string | null;
  readonly cost?: { readonly input_tokens?: number; readonly output_tokens?: number; readonly usd?: number };
  readonly proposed_changes?: readonly ProposedChange[];
  readonly delegations?: readonly Delegation[];
}

export const RESULT_STATUSES = ['completed', 'blocked', 'needs_human', 'failed'] as const;
export type ResultStatus = (typeof RESULT_STATUSES)[number];

/** The order is on the wire: a refusal lists the valid values in this order. */
export const DECISION_CATEGORIES = [
  'implementation',
  'architecture',
  'scope',
  'process',
  'quality',
  'release',
] as const;
export type DecisionCategory = (typeof DECISION_CATEGORIES)[number];

export const OBJECTION_SEVERITIES = ['low', 'medium', 'high', 'blocking'] as const;
export const OBJECTION_STATUSES = [
  'raised',
  'acknowledged',
  'resolved',
  'escalated',
  'resolved_by_human',
  'resolved_by_director',
] as const;
export const VERIFICATION_STATUSES = ['pass', 'fail', 'skipped'] as const;
export const ARTIFACT_TYPES = ['workspace', 'patch', 'commit', 'review'] as const;
export type ArtifactType = (typeof ARTIFACT_TYPES)[number];

export interface Decision {
  readonly id: string;
  readonly category: DecisionCategory;
  readonly statement: string;
  readonly rationale: string;
  readonly durability?: 'run' | 'repo';
  readonly overrides?: string | null;
}

export interface Objection {
  readonly id: string;
  readonly severity: (typeof OBJECTION_SEVERITIES)[number];
  readonly statement: string;
  readonly status?: (typeof OBJECTION_STATUSES)[number];
  readonly against_turn_id?: string;
  readonly against_decision_id?: string;
}

export interface Verification {
  readonly status: (typeof VERIFICATION_STATUSES)[number];
  readonly commands?: readonly string[];
  readonly evidence_summary?: string;
  readonly machine_evidence?: readonly MachineEvidence[];
  readonly produced_files?: readonly { readonly path: string; readonly disposition: 'artifact' | 'ignore' }[];
}

export interface MachineEvidence {
  readonly command: string;
  readonly exit_code: number;
  readonly expected_exit_code?: number;
}

export interface ProposedChange {
  readonly path: string;
  readonly action: 'create' | 'modify' | 'delete';
  readonly content?: string;
}
