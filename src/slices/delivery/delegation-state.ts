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

/** What a child turn is told about the charge it carries out. */
export interface DelegationContext {
  readonly delegation_id: string;
  readonly parent_turn_id: string;
  readonly parent_role: string;
  readonly charter: string;
  readonly acceptance_contract: readonly string[];
  readonly required_decision_ids: readonly string[];
}

/** What the parent role judges once all its children are done. */
export interface DelegationReview {
  readonly parent_turn_id: string;
  readonly parent_role: string;
  readonly delegations: readonly (DelegationResult & {
    readonly delegation_id: string;
    readonly to_role: string;
    readonly child_turn_id: string | null;
  })[];
}
