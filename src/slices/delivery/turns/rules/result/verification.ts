import { containedPath } from '../../../path-rules.ts';
import type { TurnResult } from '../../turn-result.ts';
import { type Finding, finder, type StageReport } from './stage.ts';

const fault = finder('verification_error');

/** A claimed pass must not contradict its own evidence. */
export function verificationStage(result: TurnResult): StageReport {
  const { verification } = result;
  const evidence = verification.machine_evidence ?? [];
  const hasEvidence =
    evidence.length > 0 || (verification.commands ?? []).length > 0 || !!verification.evidence_summary;
  return {
    findings: [...contradictions(result), ...producedFileFindings(result)],
    warnings:
      verification.status === 'pass' && !hasEvidence
        ? ['Verification claims a pass without any evidence.']
        : [],
  };
}

function contradictions(result: TurnResult): Finding[] {
  if (result.verification.status !== 'pass') return [];
  return (result.verification.machine_evidence ?? []).flatMap((evidence, index) =>
    evidence.exit_code === (evidence.expected_exit_code ?? 0)
      ? []
      : [
          fault(
            `verification.machine_evidence.${index}.exit_code`,
            `"${evidence.command}" ended with ${evidence.exit_code}, yet verification claims a pass.`,
            'Report "fail", or state expected_exit_code if that exit was meant.',
          ),
        ],
  );
}

function producedFileFindings(result: TurnResult): Finding[] {
  const changed = new Set(result.files_changed.map((path) => containedPath(path)));
  const seen = new Set<string | undefined>();
  return (result.verification.produced_files ?? []).flatMap((file, index) => {
    const field = `verification.produced_files.${index}`;
    const path = containedPath(file.path);
    if (seen.has(path))
      return [fault(`${field}.path`, `${file.path} is listed twice.`, 'List each file once.')];
    seen.add(path);
    if (file.disposition !== 'ignore' || !changed.has(path)) return [];
    const message = `${file.path} is both ignored and listed in files_changed.`;
    return [fault(`${field}.disposition`, message, 'Take it out of one of the two.')];
  });
}
