import type { Report } from '../../../findings.ts';
import { containedPath } from '../../../path-rules.ts';
import type { TurnResult, Verification } from '../../turn-result.ts';

/** A claimed pass must not contradict its own evidence. */
export function checkVerification({ verification, files_changed }: TurnResult, report: Report) {
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

export function verificationWarnings(verification: Verification): readonly string[] {
  const { status, commands = [], machine_evidence = [], evidence_summary } = verification;
  const hasEvidence = machine_evidence.length > 0 || commands.length > 0 || !!evidence_summary;
  return status === 'pass' && !hasEvidence ? ['Verification claims a pass without any evidence.'] : [];
}
