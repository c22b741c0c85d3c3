import { asList, isDoc, isNonBlank, isText } from '../../../document.ts';
import { VERIFICATION_STATUSES } from '../../turn-result.ts';
import type { Finding } from './finding.ts';
import { fault, oneOf } from './schema-fault.ts';

export function verificationFindings(verification: unknown): Finding[] {
  if (verification === undefined || verification === null) return [];
  const at = 'verification';
  if (!isDoc(verification)) return [fault(at, 'verification is no object.', 'Write { "status": … }.')];
  const findings = oneOf(`${at}.status`, verification.status, VERIFICATION_STATUSES);
  for (const key of ['commands', 'machine_evidence', 'produced_files']) {
    if (verification[key] !== undefined && !Array.isArray(verification[key])) {
      findings.push(fault(`${at}.${key}`, `${at}.${key} is no list.`, 'Write a list.'));
    }
  }
  if (!asList(verification.commands).every(isText)) {
    findings.push(fault(`${at}.commands`, 'A command is no text.', 'List commands as texts.'));
  }
  asList(verification.machine_evidence).forEach((evidence, index) => {
    findings.push(...evidenceFindings(`${at}.machine_evidence.${index}`, evidence));
  });
  asList(verification.produced_files).forEach((file, index) => {
    const field = `${at}.produced_files.${index}`;
    if (!isDoc(file) || !isNonBlank(file.path)) {
      findings.push(fault(`${field}.path`, 'A produced file has no path.', 'Name its path.'));
      return;
    }
    findings.push(...oneOf(`${field}.disposition`, file.disposition, ['artifact', 'ignore']));
  });
  return findings;
}

function evidenceFindings(at: string, evidence: unknown): Finding[] {
  if (!isDoc(evidence)) return [fault(at, `${at} is no object.`, 'Write { "command", "exit_code" }.')];
  const findings: Finding[] = [];
  if (!isNonBlank(evidence.command))
    findings.push(fault(`${at}.command`, 'The command is missing.', 'Name it.'));
  if (!Number.isInteger(evidence.exit_code)) {
    findings.push(
      fault(`${at}.exit_code`, 'exit_code is no whole number.', 'Write the exit code as a number.'),
    );
  }
  if (evidence.expected_exit_code !== undefined && !Number.isInteger(evidence.expected_exit_code)) {
    findings.push(
      fault(`${at}.expected_exit_code`, 'expected_exit_code is no whole number.', 'Write a number.'),
    );
  }
  return findings;
}
