import type { GovernedConfig } from '../../config/config.ts';
import type { Doc } from '../../document.ts';
import type { ActiveTurn, RunState } from '../../run-state.ts';

/** The answer with its blanks: left unfilled, each is refused. */
export function resultTemplate(state: RunState, config: GovernedConfig, turn: ActiveTurn): Doc {
  const authority = config.roles[turn.assigned_role]?.write_authority;
  const review = authority === 'review_only';
  return {
    schema_version: '1.0',
    run_id: state.run_id,
    turn_id: turn.turn_id,
    role: turn.assigned_role,
    runtime_id: turn.runtime_id,
    status: 'completed',
    summary: '<what you did and why>',
    decisions: [],
    objections: review
      ? [{ id: 'OBJ-001', severity: 'medium', statement: '<what you object to>', status: 'raised' }]
      : [],
    files_changed: review || authority === 'proposed' ? [] : ['<path of each changed file>'],
    ...(authority === 'proposed'
      ? { proposed_changes: [{ path: '<path>', action: 'modify', content: '<whole new content>' }] }
      : {}),
    verification: {
      status: 'pass',
      commands: ['<command that you ran>'],
      evidence_summary: '<what it showed>',
      machine_evidence: [{ command: '<command that you ran>', exit_code: 0 }],
    },
    artifact: { type: review ? 'review' : authority === 'proposed' ? 'patch' : 'workspace' },
    proposed_next_role: '<one of the allowed roles>',
    phase_transition_request: null,
    run_completion_request: null,
  };
}
