import { isRecord, type LooseRecord } from '../../../../../kernel/json/loose.ts';
import type { TurnResult } from '../../turn-result.ts';
import { artifactStage } from './artifact.ts';
import { normalizeTurnResult } from './normalize.ts';
import { protocolStage } from './protocol.ts';
import { schemaStage } from './schema.ts';
import { type Finding, finder, STAGES, type Stage, type StageReport, type TurnContext } from './stage.ts';
import { verificationStage } from './verification.ts';

export type Validation =
  | {
      readonly ok: true;
      readonly result: TurnResult;
      readonly warnings: readonly string[];
      readonly stagesPassed: readonly Stage[];
    }
  | {
      readonly ok: false;
      readonly failedStage: Stage;
      readonly findings: readonly Finding[];
      /** The finding that names the refusal. */
      readonly decisive: Finding;
      readonly warnings: readonly string[];
      readonly stagesPassed: readonly Stage[];
    };

/** Repairs what it can, then runs the five stages; the first stage that objects ends it. */
export function validateTurnResult(staged: unknown, context: TurnContext): Validation {
  const repaired = isRecord(staged) ? normalizeTurnResult(staged, context) : { result: staged, warnings: [] };
  const warnings = [...repaired.warnings];
  const passed: Stage[] = [];
  for (const stage of STAGES) {
    const report = runStage(stage, repaired.result, context);
    warnings.push(...report.warnings);
    const [first] = report.findings;
    if (first !== undefined) {
      return {
        ok: false,
        failedStage: stage,
        findings: report.findings,
        decisive: report.findings.find((finding) => finding.type === 'mutually_exclusive_requests') ?? first,
        warnings,
        stagesPassed: passed,
      };
    }
    passed.push(stage);
  }
  return { ok: true, result: repaired.result as unknown as TurnResult, warnings, stagesPassed: passed };
}

function runStage(stage: Stage, result: unknown, context: TurnContext): StageReport {
  if (stage === 'schema') return { findings: schemaStage(result), warnings: [] };
  // The schema stage has passed: from here on the document has the shape of a turn result.
  const turnResult = result as LooseRecord & TurnResult;
  switch (stage) {
    case 'assignment':
      return { findings: assignmentStage(turnResult, context), warnings: [] };
    case 'artifact':
      return artifactStage(turnResult, context);
    case 'verification':
      return verificationStage(turnResult);
    case 'protocol':
      return protocolStage(turnResult, context);
  }
}

const fault = finder('assignment_error');

/** The result must match its assignment: same run, turn, role and runtime. */
function assignmentStage(result: TurnResult, { state, turn }: TurnContext): readonly Finding[] {
  if (turn === undefined) {
    const active = Object.keys(state.active_turns);
    return [
      active.length === 0
        ? fault('turn_id', 'No turn is in progress.', 'Assign one: baton run step')
        : fault(
            'turn_id',
            `"${result.turn_id}" is not an active turn.`,
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
