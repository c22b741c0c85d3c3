import { formatMillis } from '../../../../kernel/instant.ts';
import { activeRepoDecisions, decisionRows, promote } from '../../decisions/rules.ts';
import type { HistoryRow, LedgerRow, RepoDecision } from '../../records.ts';
import type { RunState } from '../../run-state.ts';
import { isExhausted, settle } from '../../runs/rules/budget.ts';
import { blocked, type Change, change, eventOf, slug } from '../../runs/rules/change.ts';
import type { TurnResult } from '../turn-result.ts';
import { settleDelegations } from './delegation.ts';
import { historyRow, talkSection } from './history-row.ts';
import type { AcceptanceInput } from './judge.ts';
import { advanceLifecycle } from './lifecycle.ts';
import { stopWithoutProgress } from './non-progress.ts';
import type { PolicyBreach } from './policies.ts';

export interface Acceptance extends Change {
  readonly historyRow: HistoryRow;
  readonly repoDecisions: readonly RepoDecision[];
  readonly talk: string;
}

export interface Admitted {
  readonly result: TurnResult;
  readonly escalation: PolicyBreach | undefined;
  readonly revised: readonly string[];
  readonly warnings: readonly string[];
}

/** Everything that accepting a turn writes, as one change. */
export function commitAcceptance(input: AcceptanceInput, admitted: Admitted): Acceptance {
  const { turn, now } = input;
  const { result } = admitted;
  const row = historyRow(input, result);
  const lasting = promote(result, input.state.phase, input.repoDecisions, now);
  const taken = afterTurn(input, result, lasting);
  const accepted = eventOf(
    taken,
    'turn_accepted',
    { summary: result.summary, files_changed: result.files_changed },
    turn,
  );
  const commit = input.observation?.commit;
  const checkpointed = commit === undefined ? [] : [eventOf(taken, 'turn_checkpointed', { commit }, turn)];
  const onward = consequences(input, admitted, taken, row);
  return {
    ...onward,
    historyRow: row,
    repoDecisions: lasting,
    talk: talkSection(row, result),
    ledger: [...decisionRows(result, input.state.phase, now), ...notes(input, admitted), ...onward.ledger],
    events: [accepted, ...checkpointed, ...onward.events],
    warnings: [...admitted.warnings, ...onward.warnings],
  };
}

function afterTurn(input: AcceptanceInput, result: TurnResult, lasting: readonly RepoDecision[]): RunState {
  const { state, config, turn } = input;
  const { [turn.turn_id]: _done, ...others } = state.active_turns;
  const next = result.proposed_next_role;
  return settle(
    settleDelegations(
      {
        ...state,
        // A conflict that a person has merged no longer blocks the run.
        ...(state.status === 'blocked'
          ? { status: 'active' as const, blocked_on: null, blocked_reason: null }
          : {}),
        active_turns: others,
        accepted_sequence: state.accepted_sequence + 1,
        last_completed_turn_id: turn.turn_id,
        accepted_integration_ref: integrationRef(input),
        next_recommended_role: next === 'human' ? null : next,
        repo_decisions: activeRepoDecisions([...input.repoDecisions, ...lasting]),
      },
      turn,
      result,
    ),
    config.budget,
    turn.turn_id,
    result.cost?.usd ?? 0,
  );
}

function integrationRef({ observation, state }: AcceptanceInput): string | null {
  const commit = observation?.commit ?? observation?.head ?? null;
  return commit === null ? state.accepted_integration_ref : `git:${commit}`;
}

/** What stops or moves the run now: a question to a person, a policy, a request to move on, idleness, the budget. */
function consequences(input: AcceptanceInput, admitted: Admitted, state: RunState, row: HistoryRow): Change {
  const { result } = admitted;
  if (result.status === 'needs_human' || result.status === 'blocked')
    return waitsForHuman(input, result, state);
  if (admitted.escalation !== undefined) return policyEscalation(input, admitted.escalation, state);
  const history = [...input.history, row];
  const moved = stopWithoutProgress(
    advanceLifecycle(input, state, result, history),
    input.config,
    history,
    input.now,
  );
  if (moved.state.status !== 'active' || !isExhausted(moved.state, input.config.budget)) return moved;
  const spent = {
    spent_usd: moved.state.budget_status.spent_usd,
    limit_usd: input.config.budget.per_run_max_usd,
  };
  if (input.config.budget.on_exceed === 'warn') {
    return {
      ...moved,
      events: [...moved.events, eventOf(moved.state, 'budget_exceeded_warn', spent)],
      warnings: [...moved.warnings, `The budget of ${spent.limit_usd} USD is used up.`],
    };
  }
  const held = blocked(
    moved.state,
    {
      blockedOn: 'budget:exhausted',
      category: 'budget',
      typedReason: 'budget_exhausted',
      detail: `${spent.spent_usd} of ${spent.limit_usd} USD are spent. Raise budget.per_run_max_usd before resuming.`,
      recoveryAction: 'baton run resume',
    },
    input.now,
  );
  return {
    ...moved,
    state: held,
    events: [...moved.events, eventOf(held, 'run_blocked', { blocked_on: held.blocked_on, ...spent })],
  };
}

function waitsForHuman(input: AcceptanceInput, result: TurnResult, state: RunState): Change {
  const reason = result.needs_human_reason?.trim() || result.summary;
  const held = blocked(
    state,
    {
      blockedOn: `human:${slug(reason)}`,
      category: 'needs_human',
      typedReason: 'needs_human',
      detail: reason,
      turnId: input.turn.turn_id,
      recoveryAction: 'baton run resume',
    },
    input.now,
  );
  const payload = { blocked_on: held.blocked_on, reason };
  return change(held, {
    events: [
      eventOf(held, 'human_escalation_raised', payload, input.turn),
      eventOf(held, 'run_blocked', payload, input.turn),
    ],
  });
}

function policyEscalation(input: AcceptanceInput, breach: PolicyBreach, state: RunState): Change {
  const held = blocked(
    state,
    {
      blockedOn: `policy:${breach.policy.id}`,
      category: 'policy',
      typedReason: 'policy_escalation',
      detail: breach.message,
      turnId: input.turn.turn_id,
      recoveryAction: 'baton run resume',
    },
    input.now,
  );
  return change(held, {
    events: [
      eventOf(held, 'run_blocked', { blocked_on: held.blocked_on, detail: breach.message }, input.turn),
    ],
    ledger: [note(input, 'policy_escalation', { policy: breach.policy.id, detail: breach.message })],
  });
}

function notes(input: AcceptanceInput, admitted: Admitted): readonly LedgerRow[] {
  const rows: LedgerRow[] = [];
  if (input.turn.conflict_state !== undefined) {
    rows.push(
      note(input, 'conflict_resolved', {
        resolution: 'human_merge',
        files: input.turn.conflict_state.conflicting_files,
      }),
    );
  }
  if (admitted.revised.length > 0)
    rows.push(note(input, 'forward_revision_accepted', { files: admitted.revised }));
  return rows;
}

function note(input: AcceptanceInput, decision: string, facts: LedgerRow): LedgerRow {
  const { state, turn, now } = input;
  return { decision, run_id: state.run_id, turn_id: turn.turn_id, ...facts, created_at: formatMillis(now) };
}
