import { isRecord } from '../../../../../kernel/json/loose.ts';
import { type Finding, findingsOf, type Report } from '../../../findings.ts';
import { containedPath } from '../../../path-rules.ts';
import type { TurnResult, Verification } from '../../turn-result.ts';
import { artifactWarnings, checkArtifact } from './artifact.ts';
import { normalizeTurnResult } from './normalize.ts';
import { checkProtocol, protocolWarnings } from './protocol.ts';
import { checkSchema } from './schema.ts';
import type { Stage, TurnContext } from './stage.ts';

export type Validation = {
  readonly warnings: readonly string[];
  readonly stagesPassed: readonly Stage[];
} & (
  | { readonly ok: true; readonly result: TurnResult }
  | {
      readonly ok: false;
      readonly failedStage: Stage;
      readonly findings: readonly Finding[];
      /** The finding that names the refusal. */
      readonly decisive: Finding;
    }
);

interface StageCheck {
  readonly stage: Stage;
  check(result: TurnResult, context: TurnContext, report: Report): void;
  warnings?(result: TurnResult): readonly string[];
}

/** Once the schema stage has passed, the document has the shape of a turn result. */
const STAGES: readonly StageCheck[] = [
  { stage: 'schema', check: (result, _context, report) => checkSchema(result, report) },
  { stage: 'assignment', check: checkAssignment },
  { stage: 'artifact', check: checkArtifact, warnings: artifactWarnings },
  {
    stage: 'verification',
    check: (result, _context, report) => checkVerification(result, report),
    warnings: (result) => verificationWarnings(result.verification),
  },
  { stage: 'protocol', check: checkProtocol, warnings: protocolWarnings },
];

/** Repairs what it can, then runs the five stages; the first stage that objects ends it. */
export function validateTurnResult(staged: unknown, context: TurnContext): Validation {
  const repaired = isRecord(staged) ? normalizeTurnResult(staged, context) : { result: staged, warnings: [] };
  const result = repaired.result as TurnResult;
  const warnings = [...repaired.warnings];
  const stagesPassed: Stage[] = [];
  for (const { stage, check, warnings: warn } of STAGES) {
    const findings = findingsOf(`${stage}_error`, (report) => check(result, context, report));
    warnings.push(...(warn?.(result) ?? []));
    const [first] = findings;
    if (first !== undefined) {
      const decisive = findings.find(({ type }) => type === 'mutually_exclusive_requests') ?? first;
      return { ok: false, failedStage: stage, findings, decisive, warnings, stagesPassed };
    }
    stagesPassed.push(stage);
  }
  return { ok: true, result, warnings, stagesPassed };
}

/** The result must match its assignment: same run, turn, role and runtime. */
function checkAssignment(result: TurnResult, { state, turn }: TurnContext, report: Report) {
  if (turn === undefined) {
    const active = Object.keys(state.active_turns);
    if (active.length === 0)
      return report('turn_id', 'No turn is in progress.', 'Assign one: baton run step');
    const message = `"${result.turn_id}" is not an active turn.`;
    return report('turn_id', message, `Name one of: ${active.join(', ')}.`);
  }
  const expected = [
    ['run_id', state.run_id, 'run_id_mismatch'],
    ['turn_id', turn.turn_id, 'turn_id_mismatch'],
    ['role', turn.assigned_role, 'assignment_error'],
    ['runtime_id', turn.runtime_id, 'assignment_error'],
  ] as const;
  for (const [field, value, type] of expected) {
    if (result[field] === value) continue;
    const message = `${field} is "${result[field]}", the assignment says "${value}".`;
    report(field, message, `Set ${field} to "${value}".`, { type });
  }
}

/** A claimed pass must not contradict its own evidence. */
function checkVerification({ verification, files_changed }: TurnResult, report: Report) {
  const evidence = verification.status === 'pass' ? (verification.machine_evidence ?? []) : [];
  for (const [index, { command, exit_code, expected_exit_code }] of evidence.entries()) {
    if (exit_code === (expected_exit_code ?? 0)) continue;
    report(
      `verification.machine_evidence.${index}.exit_code`,
      `"${command}" ended with ${exit_code}, yet verification claims a pass.`,
      'Report "fail", or state expected_exit_code if that exit was meant.',
    );
  }
  const changed = new Set(files_changed.map((path) => containedPath(path)));
  const seen = new Set<string | undefined>();
  for (const [index, file] of (verification.produced_files ?? []).entries()) {
    const field = `verification.produced_files.${index}`;
    const path = containedPath(file.path);
    if (seen.has(path)) report(`${field}.path`, `${file.path} is listed twice.`, 'List each file once.');
    else if (file.disposition === 'ignore' && changed.has(path)) {
      const message = `${file.path} is both ignored and listed in files_changed.`;
      report(`${field}.disposition`, message, 'Take it out of one of the two.');
    }
    seen.add(path);
  }
}

function verificationWarnings(verification: Verification): readonly string[] {
  const { status, commands = [], machine_evidence = [], evidence_summary } = verification;
  const hasEvidence = machine_evidence.length > 0 || commands.length > 0 || !!evidence_summary;
  return status === 'pass' && !hasEvidence ? ['Verification claims a pass without any evidence.'] : [];
}
