import type {
  ActiveTurn,
  DelegationEntry,
  DelegationResult,
  DelegationReview,
  RunState,
} from '../../run-state.ts';
import type { TurnResult } from '../turn-result.ts';

/** A new turn takes on what was delegated to its role, or the review that its role owes. */
export function claimDelegation(
  state: RunState,
  turn: ActiveTurn,
): { readonly state: RunState; readonly turn: ActiveTurn } {
  const review = state.pending_delegation_review;
  if (review !== null && review.parent_role === turn.assigned_role) {
    return {
      state: { ...state, pending_delegation_review: null },
      turn: { ...turn, delegation_review: review },
    };
  }
  const entry = state.delegation_queue.find(
    (candidate) => candidate.status === 'pending' && candidate.to_role === turn.assigned_role,
  );
  if (entry === undefined) return { state, turn };
  const queue = state.delegation_queue.map((candidate) =>
    candidate === entry ? { ...entry, status: 'active' as const, child_turn_id: turn.turn_id } : candidate,
  );
  return {
    state: { ...state, delegation_queue: queue },
    turn: {
      ...turn,
      delegation_context: {
        delegation_id: entry.delegation_id,
        parent_turn_id: entry.parent_turn_id,
        parent_role: entry.parent_role,
        charter: entry.charter,
        acceptance_contract: entry.acceptance_contract,
        required_decision_ids: entry.required_decision_ids,
      },
    },
  };
}

/** Updates the delegation queue for an accepted turn: adds what it delegates, closes what it carried out. */
export function settleDelegations(state: RunState, turn: ActiveTurn, result: TurnResult): RunState {
  const issued = (result.delegations ?? []).map(
    (delegation): DelegationEntry => ({
      delegation_id: delegation.id,
      parent_turn_id: turn.turn_id,
      parent_role: turn.assigned_role,
      to_role: delegation.to_role,
      charter: delegation.charter,
      acceptance_contract: delegation.acceptance_contract,
      required_decision_ids: delegation.required_decision_ids ?? [],
      status: 'pending',
      child_turn_id: null,
    }),
  );
  const closed = state.delegation_queue.map((entry) =>
    entry.child_turn_id === turn.turn_id && entry.status === 'active' ? closeEntry(entry, result) : entry,
  );
  return raiseReview({ ...state, delegation_queue: [...closed, ...issued] });
}

function closeEntry(entry: DelegationEntry, result: TurnResult): DelegationEntry {
  const taken = new Set(result.decisions.map((decision) => decision.id));
  const childResult: DelegationResult = {
    summary: result.summary,
    status: result.status,
    files_changed: result.files_changed,
    verification: result.verification.status,
    satisfied_decision_ids: entry.required_decision_ids.filter((id) => taken.has(id)),
    missing_decision_ids: entry.required_decision_ids.filter((id) => !taken.has(id)),
  };
  return { ...entry, status: result.status === 'completed' ? 'completed' : 'failed', result: childResult };
}

/** Once every child of a parent turn is done, the parent reviews them; a failed child does not hold up the run. */
function raiseReview(state: RunState): RunState {
  if (state.pending_delegation_review !== null) return state;
  const parents = new Set(state.delegation_queue.map((entry) => entry.parent_turn_id));
  for (const parent of parents) {
    const children = state.delegation_queue.filter((entry) => entry.parent_turn_id === parent);
    if (children.some((child) => child.result === undefined)) continue;
    return {
      ...state,
      pending_delegation_review: reviewOf(parent, children),
      delegation_queue: state.delegation_queue.filter((entry) => entry.parent_turn_id !== parent),
    };
  }
  return state;
}

function reviewOf(parent: string, children: readonly DelegationEntry[]): DelegationReview {
  return {
    parent_turn_id: parent,
    parent_role: children[0]?.parent_role ?? '',
    delegations: children.flatMap((child) =>
      child.result === undefined
        ? []
        : [
            {
              delegation_id: child.delegation_id,
              to_role: child.to_role,
              child_turn_id: child.child_turn_id,
              ...child.result,
            },
          ],
    ),
  };
}
