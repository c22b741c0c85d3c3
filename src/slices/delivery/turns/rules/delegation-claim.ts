import type { ActiveTurn, RunState } from '../../run-state.ts';

/** A new turn takes up what was delegated to its role, or the review that its role owes. */
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
