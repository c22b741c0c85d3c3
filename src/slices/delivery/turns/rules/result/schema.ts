import {
  asList,
  asRecord,
  isNonBlank,
  isRecord,
  isString,
  type LooseRecord,
} from '../../../../../kernel/json/loose.ts';
import { ROLE_ID } from '../../../ids.ts';
import { ARTIFACT_TYPES, RESULT_STATUSES } from '../../turn-result.ts';
import {
  decisionFindings,
  delegationFindings,
  fault,
  objectionFindings,
  oneOf,
  proposedChangeFindings,
  verificationFindings,
} from './schema-items.ts';
import type { Finding } from './stage.ts';

export function schemaStage(result: unknown): readonly Finding[] {
  if (!isRecord(result)) return [fault('', 'The result is not a JSON object.', 'Write one JSON object.')];
  return [
    ...missingFindings(result),
    ...envelopeFindings(result),
    ...decisionFindings(result.decisions),
    ...objectionFindings(result.objections),
    ...verificationFindings(result.verification),
    ...requestFindings(result),
    ...proposedChangeFindings(result.proposed_changes),
    ...delegationFindings(result.delegations),
    ...placeholderFindings(result),
  ];
}

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

function missingFindings(result: LooseRecord): Finding[] {
  return REQUIRED.filter((field) => result[field] === undefined || result[field] === null).map((field) =>
    fault(field, `${field} is missing.`, `Add ${field} to the turn result.`, 'missing_required_field'),
  );
}

function envelopeFindings(result: LooseRecord): Finding[] {
  const findings: Finding[] = [];
  const given = (field: string) => result[field] !== undefined && result[field] !== null;
  if (given('schema_version') && result.schema_version !== '1.0') {
    findings.push(fault('schema_version', 'schema_version is not "1.0".', 'Set it to "1.0".'));
  }
  for (const field of ['run_id', 'turn_id', 'runtime_id', 'summary']) {
    if (given(field) && !isNonBlank(result[field])) {
      findings.push(fault(field, `${field} is blank or not a string.`, `Write ${field} as a string.`));
    }
  }
  for (const field of ['role', 'proposed_next_role']) {
    const value = result[field];
    if (given(field) && !(isString(value) && ROLE_ID.test(value))) {
      findings.push(fault(field, `${field} is not a role id.`, 'Use a-z, 0-9, _ and -.'));
    }
  }
  if (given('status')) findings.push(...oneOf('status', result.status, RESULT_STATUSES));
  for (const field of ['files_changed', 'artifacts_created']) {
    const value = result[field];
    if (given(field) && !(Array.isArray(value) && value.every(isNonBlank))) {
      findings.push(fault(field, `${field} is not a list of paths.`, 'List paths as strings.'));
    }
  }
  if (given('artifact')) findings.push(...artifactFindings(result.artifact));
  return findings;
}

function artifactFindings(artifact: unknown): Finding[] {
  if (!isRecord(artifact)) return [fault('artifact', 'artifact is not an object.', 'Write { "type": … }.')];
  const findings = oneOf('artifact.type', artifact.type, ARTIFACT_TYPES);
  for (const key of ['ref', 'diff_summary']) {
    const value = artifact[key];
    if (value !== undefined && value !== null && !isString(value)) {
      findings.push(
        fault(`artifact.${key}`, `artifact.${key} is not a string.`, 'Write it as a string, or null.'),
      );
    }
  }
  return findings;
}

/** The optional requests, and the cost. */
function requestFindings(result: LooseRecord): Finding[] {
  const findings: Finding[] = [];
  const transition = result.phase_transition_request ?? null;
  if (transition !== null && !isNonBlank(transition)) {
    findings.push(
      fault('phase_transition_request', 'The request names no phase.', 'Name a phase, or use null.'),
    );
  }
  const completion = result.run_completion_request ?? null;
  if (completion !== null && typeof completion !== 'boolean') {
    findings.push(
      fault('run_completion_request', 'The request is not a boolean.', 'Use true, false or null.'),
    );
  }
  const reason = result.needs_human_reason ?? null;
  if (reason !== null && !isString(reason)) {
    findings.push(fault('needs_human_reason', 'needs_human_reason is not a string.', 'Say why in words.'));
  }
  return [...findings, ...costFindings(result.cost ?? null)];
}

function costFindings(cost: unknown): Finding[] {
  if (cost === null) return [];
  if (!isRecord(cost)) return [fault('cost', 'cost is not an object.', 'Write { "usd": … }.')];
  return ['input_tokens', 'output_tokens', 'usd']
    .filter((key) => {
      const value = cost[key] ?? null;
      return value !== null && !(typeof value === 'number' && Number.isFinite(value) && value >= 0);
    })
    .map((key) => fault(`cost.${key}`, `cost.${key} is not an amount.`, 'Use a number of zero or more.'));
}

/** A value that is all angle brackets is a blank of the template that nobody filled in. */
const PLACEHOLDER = /^\s*<[^<>]+>\s*$/;

function placeholderFindings(result: LooseRecord): Finding[] {
  return filled(result)
    .filter(([, value]) => isString(value) && PLACEHOLDER.test(value))
    .map(([field, value]) =>
      fault(field, `${field} still reads ${String(value)}.`, 'Replace the placeholder.'),
    );
}

function filled(result: LooseRecord): readonly (readonly [string, unknown])[] {
  const texts = (list: unknown, at: string, keys: readonly string[]) =>
    asList(list).flatMap((item, index) =>
      keys.map((key) => [`${at}.${index}.${key}`, asRecord(item)[key]] as const),
    );
  const items = (list: unknown, at: string) =>
    asList(list).map((item, index) => [`${at}.${index}`, item] as const);
  return [
    ['summary', result.summary],
    ['proposed_next_role', result.proposed_next_role],
    ...texts(result.decisions, 'decisions', ['statement', 'rationale']),
    ...texts(result.objections, 'objections', ['statement']),
    ...items(result.files_changed, 'files_changed'),
    ...items(asRecord(result.verification).commands, 'verification.commands'),
  ];
}
