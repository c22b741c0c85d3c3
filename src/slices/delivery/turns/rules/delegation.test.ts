import { describe, expect, it } from 'vitest';
import type { LooseRecord } from '../../../../kernel/json/loose.ts';
import { type ActiveTurn, idleState, type RunState } from '../../run-state.ts';
import { activeTurn, turnResult } from '../../testing.ts';
import type { TurnResult } from '../turn-result.ts';
import { claimDelegation, settleDelegations } from './delegation.ts';

const turnOf = (id: string, role: string) => activeTurn({ turn_id: id, assigned_role: role });
const resultOf = (turn: ActiveTurn, changes: LooseRecord = {}) =>
  turnResult(turn, changes) as unknown as TurnResult;
const delegation = (id: string, decisions: readonly string[] = []) => ({
  id,
  to_role: 'qa',
  charter: 'Test it',
  acceptance_contract: ['It is tested'],
  required_decision_ids: decisions,
});

const parent = turnOf('turn_1', 'dev');
const start: RunState = { ...idleState('demo', 'implementation'), run_id: 'run_1', status: 'active' };
/** What the parent leaves to others. */
const delegated = (...delegations: readonly object[]) =>
  settleDelegations(start, parent, resultOf(parent, { delegations }));

describe('a delegation', () => {
  it('waits for a turn of its role, and goes to one only', () => {
    const state = delegated(delegation('D-1'));
    expect(claimDelegation(state, turnOf('turn_2', 'dev')).turn).not.toHaveProperty('delegation_context');
    const claimed = claimDelegation(state, turnOf('turn_2', 'qa'));
    expect(claimed.turn.delegation_context).toMatchObject({ delegation_id: 'D-1', parent_role: 'dev' });
    expect(claimed.state.delegation_queue).toMatchObject([{ status: 'active', child_turn_id: 'turn_2' }]);
    const second = claimDelegation(claimed.state, turnOf('turn_3', 'qa'));
    expect(second.turn).not.toHaveProperty('delegation_context');
  });

  it('ends with the turn that took it, and with no other', () => {
    const child = turnOf('turn_2', 'qa');
    const { state } = claimDelegation(delegated(delegation('D-1'), delegation('D-2')), child);
    const other = turnOf('turn_9', 'qa');
    expect(settleDelegations(state, other, resultOf(other)).delegation_queue).toMatchObject([
      { status: 'active' },
      { status: 'pending' },
    ]);
    expect(settleDelegations(state, child, resultOf(child)).delegation_queue).toMatchObject([
      { status: 'completed' },
      { status: 'pending' },
    ]);
  });

  it.each([
    ['completed', 'completed'],
    ['blocked', 'blocked'],
  ])('comes back to whoever delegated once all of it is %s', (status, reported) => {
    const child = turnOf('turn_2', 'qa');
    const { state } = claimDelegation(delegated(delegation('D-1', ['DEC-001', 'DEC-002'])), child);
    const decisions = [{ id: 'DEC-001', category: 'quality', statement: 'a', rationale: 'b' }];
    const settled = settleDelegations(state, child, resultOf(child, { status, decisions }));
    expect(settled.delegation_queue).toEqual([]);
    expect(settled.pending_delegation_review).toMatchObject({
      parent_turn_id: 'turn_1',
      parent_role: 'dev',
      delegations: [
        { status: reported, satisfied_decision_ids: ['DEC-001'], missing_decision_ids: ['DEC-002'] },
      ],
    });
    expect(claimDelegation(settled, turnOf('turn_3', 'qa')).turn).not.toHaveProperty('delegation_review');
    const reviewer = claimDelegation(settled, turnOf('turn_3', 'dev'));
    expect(reviewer.turn.delegation_review).toMatchObject({ parent_turn_id: 'turn_1' });
    expect(reviewer.state.pending_delegation_review).toBeNull();
  });
});
