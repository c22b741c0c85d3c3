import type { TurnResult } from '../../turn-result.ts';
import type { TurnContext } from './context.ts';
import { type Finding, finder } from './finding.ts';

const fault = finder('assignment_error');

/** The result must answer the assignment that was handed out: same run, turn, role and runtime. */
export function assignmentStage(result: TurnResult, { state, turn }: TurnContext): readonly Finding[] {
  if (turn === undefined) {
    const active = Object.keys(state.active_turns);
    return [
      active.length === 0
        ? fault('turn_id', 'No turn is under way.', 'Assign one: baton run step')
        : fault(
            'turn_id',
            `"${result.turn_id}" is none of the active turns.`,
            `Name one of: ${active.join(', ')}.`,
          ),
    ];
  }
  const expected = [
    ['run_id', state.run_id, 'run_id_mismatch'],
    ['turn_id', turn.turn_id, 'turn_id_mismatch'],
    ['role', turn.assigned_role, 'assignment_error'],
    ['runtime_id', turn.runtime_id, 'assignment_error'],
  ] as const;
  return expected
    .filter(([field, value]) => result[field] !== value)
    .map(([field, value, type]) =>
      fault(
        field,
        `${field} is "${result[field]}", the assignment says "${value}".`,
        `Set ${field} to "${value}".`,
        type,
      ),
    );
}
