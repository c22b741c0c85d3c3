import { type Doc, isDoc, isNonBlank, isText } from '../../../document.ts';
import { ROLE_ID } from '../../../ids.ts';
import { ARTIFACT_TYPES, RESULT_STATUSES } from '../../turn-result.ts';
import type { Finding } from './finding.ts';
import { fault, oneOf } from './schema-fault.ts';

const REQUIRED = [
  'schema_version',
  'run_id',
  'turn_id',
  'role',
  'runtime_id',
  'status',
  'summary',
  'decisions',
  'objections',
  'files_changed',
  'verification',
  'artifact',
  'proposed_next_role',
];

export function missingFindings(result: Doc): Finding[] {
  return REQUIRED.filter((field) => result[field] === undefined || result[field] === null).map((field) =>
    fault(field, `${field} is missing.`, `Add ${field} to the turn result.`, 'missing_required_field'),
  );
}

export function envelopeFindings(result: Doc): Finding[] {
  const findings: Finding[] = [];
  const given = (field: string) => result[field] !== undefined && result[field] !== null;
  if (given('schema_version') && result.schema_version !== '1.0') {
    findings.push(fault('schema_version', 'schema_version is not "1.0".', 'Set it to "1.0".'));
  }
  for (const field of ['run_id', 'turn_id', 'runtime_id', 'summary']) {
    if (given(field) && !isNonBlank(result[field])) {
      findings.push(fault(field, `${field} is no text with content.`, `Write ${field} as text.`));
    }
  }
  for (const field of ['role', 'proposed_next_role']) {
    const value = result[field];
    if (given(field) && !(isText(value) && ROLE_ID.test(value))) {
      findings.push(fault(field, `${field} is no role id.`, 'Use a-z, 0-9, _ and -.'));
    }
  }
  if (given('status')) findings.push(...oneOf('status', result.status, RESULT_STATUSES));
  for (const field of ['files_changed', 'artifacts_created']) {
    const value = result[field];
    if (given(field) && !(Array.isArray(value) && value.every(isNonBlank))) {
      findings.push(fault(field, `${field} is no list of paths.`, 'List paths as texts.'));
    }
  }
  if (given('artifact')) findings.push(...artifactFindings(result.artifact));
  return findings;
}

function artifactFindings(artifact: unknown): Finding[] {
  if (!isDoc(artifact)) return [fault('artifact', 'artifact is no object.', 'Write { "type": … }.')];
  const findings = oneOf('artifact.type', artifact.type, ARTIFACT_TYPES);
  for (const key of ['ref', 'diff_summary']) {
    const value = artifact[key];
    if (value !== undefined && value !== null && !isText(value)) {
      findings.push(fault(`artifact.${key}`, `artifact.${key} is no text.`, 'Write it as text, or null.'));
    }
  }
  return findings;
}
