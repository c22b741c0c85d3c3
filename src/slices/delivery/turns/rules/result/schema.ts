import {
  asList,
  asRecord,
  isNonBlank,
  isRecord,
  isString,
  type LooseRecord,
} from '../../../../../kernel/json/loose.ts';
import { isGiven, type Report } from '../../../findings.ts';
import { ROLE_ID } from '../../../ids.ts';
import { ARTIFACT_TYPES, RESULT_STATUSES } from '../../turn-result.ts';
import { checkItems, checkOneOf, checkVerificationShape } from './schema-items.ts';

export function checkSchema(result: unknown, report: Report) {
  if (!isRecord(result)) return report('', 'The result is not a JSON object.', 'Write one JSON object.');
  checkRequired(result, report);
  checkEnvelope(result, report);
  checkItems(result, 'decisions', report);
  checkItems(result, 'objections', report);
  checkVerificationShape(result.verification, report);
  checkRequests(result, report);
  checkCost(result.cost, report);
  checkItems(result, 'proposed_changes', report);
  checkItems(result, 'delegations', report);
  checkPlaceholders(result, report);
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

function checkRequired(result: LooseRecord, report: Report) {
  const type = 'missing_required_field';
  for (const field of REQUIRED.filter((key) => !isGiven(result[key])))
    report(field, `${field} is missing.`, `Add ${field} to the turn result.`, { type });
}

function checkEnvelope(result: LooseRecord, report: Report) {
  const given = (field: string) => isGiven(result[field]);
  if (given('schema_version') && result.schema_version !== '1.0')
    report('schema_version', 'schema_version is not "1.0".', 'Set it to "1.0".');
  for (const field of ['run_id', 'turn_id', 'runtime_id', 'summary']) {
    if (given(field) && !isNonBlank(result[field]))
      report(field, `${field} is blank or not a string.`, `Write ${field} as a string.`);
  }
  for (const field of ['role', 'proposed_next_role']) {
    const value = result[field];
    if (given(field) && !(isString(value) && ROLE_ID.test(value)))
      report(field, `${field} is not a role id.`, 'Use a-z, 0-9, _ and -.');
  }
  if (given('status')) checkOneOf('status', result.status, RESULT_STATUSES, report);
  for (const field of ['files_changed', 'artifacts_created']) {
    const value = result[field];
    if (given(field) && !(Array.isArray(value) && value.every(isNonBlank)))
      report(field, `${field} is not a list of paths.`, 'List paths as strings.');
  }
  if (given('artifact')) checkArtifactShape(result.artifact, report);
}

function checkArtifactShape(artifact: unknown, report: Report) {
  if (!isRecord(artifact)) return report('artifact', 'artifact is not an object.', 'Write { "type": … }.');
  checkOneOf('artifact.type', artifact.type, ARTIFACT_TYPES, report);
  for (const key of ['ref', 'diff_summary']) {
    if (isGiven(artifact[key]) && !isString(artifact[key]))
      report(`artifact.${key}`, `artifact.${key} is not a string.`, 'Write it as a string, or null.');
  }
}

function checkRequests(result: LooseRecord, report: Report) {
  const { phase_transition_request: to, run_completion_request: completes, needs_human_reason: why } = result;
  if (isGiven(to) && !isNonBlank(to))
    report('phase_transition_request', 'The request names no phase.', 'Name a phase, or use null.');
  if (isGiven(completes) && typeof completes !== 'boolean')
    report('run_completion_request', 'The request is not a boolean.', 'Use true, false or null.');
  if (isGiven(why) && !isString(why))
    report('needs_human_reason', 'needs_human_reason is not a string.', 'Say why in words.');
}

function checkCost(cost: unknown, report: Report) {
  if (!isGiven(cost)) return;
  if (!isRecord(cost)) return report('cost', 'cost is not an object.', 'Write { "usd": … }.');
  for (const key of ['input_tokens', 'output_tokens', 'usd']) {
    const value = cost[key] ?? 0;
    if (!(typeof value === 'number' && Number.isFinite(value) && value >= 0))
      report(`cost.${key}`, `cost.${key} is not an amount.`, 'Use a number of zero or more.');
  }
}

/** A value that is all angle brackets is a blank of the template that nobody filled in. */
const PLACEHOLDER = /^\s*<[^<>]+>\s*$/;

function checkPlaceholders(result: LooseRecord, report: Report) {
  for (const [field, value] of filled(result)) {
    if (isString(value) && PLACEHOLDER.test(value))
      report(field, `${field} still reads ${value}.`, 'Replace the placeholder.');
  }
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
