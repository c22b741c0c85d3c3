import {
  asList,
  isNonBlank,
  isRecord,
  isString,
  type LooseRecord,
} from '../../../../../kernel/json/loose.ts';
import { isGiven, type Report } from '../../../findings.ts';
import { DECISION_ID, DELEGATION_ID, OBJECTION_ID, ROLE_ID } from '../../../ids.ts';
import {
  DECISION_CATEGORIES,
  OBJECTION_SEVERITIES,
  OBJECTION_STATUSES,
  VERIFICATION_STATUSES,
} from '../../turn-result.ts';

export function checkOneOf(field: string, value: unknown, values: readonly unknown[], report: Report) {
  if (values.includes(value)) return;
  report(field, `${field} is ${JSON.stringify(value) ?? 'missing'}.`, `Use one of: ${values.join(', ')}.`);
}

/** The lists of objects in a turn result, with the check of one item. */
const LISTS: Readonly<Record<string, (at: string, item: LooseRecord, report: Report) => void>> = {
  decisions: checkDecision,
  objections: checkObjection,
  proposed_changes: checkProposedChange,
  delegations: checkDelegation,
};

export function checkItems(result: LooseRecord, key: keyof typeof LISTS, report: Report) {
  const list = result[key];
  if (!isGiven(list)) return;
  if (!Array.isArray(list)) return report(key, `${key} is not a list.`, 'Write a list.');
  for (const [index, item] of list.entries()) {
    const at = `${key}.${index}`;
    if (isRecord(item)) LISTS[key]?.(at, item, report);
    else report(at, `${at} is not an object.`, 'Write it as an object.');
  }
}

function checkDecision(at: string, decision: LooseRecord, report: Report) {
  if (!isDecisionId(decision.id)) {
    const type = 'invalid_decision_id_format';
    report(`${at}.id`, `${at}.id is not a decision id.`, 'Use DEC- and digits.', { type });
  }
  checkOneOf(`${at}.category`, decision.category, DECISION_CATEGORIES, report);
  for (const key of ['statement', 'rationale']) {
    if (!isNonBlank(decision[key])) report(`${at}.${key}`, `${at}.${key} is empty.`, `Write the ${key} out.`);
  }
  if (decision.durability !== undefined)
    checkOneOf(`${at}.durability`, decision.durability, ['run', 'repo'], report);
  const overrides = decision.overrides ?? null;
  if (overrides !== null && !isDecisionId(overrides))
    report(`${at}.overrides`, `${at}.overrides is not a decision id.`, 'Name the overridden DEC- id.');
  else if (overrides !== null && overrides === decision.id)
    report(`${at}.overrides`, 'A decision cannot override itself.', 'Name another decision, or none.');
}

function isDecisionId(value: unknown): boolean {
  return isString(value) && DECISION_ID.test(value);
}

function checkObjection(at: string, objection: LooseRecord, report: Report) {
  if (!isString(objection.id) || !OBJECTION_ID.test(objection.id))
    report(`${at}.id`, `${at}.id is not an objection id.`, 'Use OBJ- and digits.');
  checkOneOf(`${at}.severity`, objection.severity, OBJECTION_SEVERITIES, report);
  if (!isNonBlank(objection.statement))
    report(`${at}.statement`, `${at}.statement is empty.`, 'Say what is wrong.');
  if (objection.status !== undefined)
    checkOneOf(`${at}.status`, objection.status, OBJECTION_STATUSES, report);
  for (const key of ['against_turn_id', 'against_decision_id', 'proposed_resolution']) {
    if (isGiven(objection[key]) && !isString(objection[key]))
      report(`${at}.${key}`, `${at}.${key} is not a string.`, 'Write it as a string, or leave it out.');
  }
}

export function checkVerificationShape(verification: unknown, report: Report) {
  const at = 'verification';
  if (!isGiven(verification)) return;
  if (!isRecord(verification)) return report(at, 'verification is not an object.', 'Write { "status": … }.');
  checkOneOf(`${at}.status`, verification.status, VERIFICATION_STATUSES, report);
  for (const key of ['commands', 'machine_evidence', 'produced_files']) {
    if (verification[key] !== undefined && !Array.isArray(verification[key]))
      report(`${at}.${key}`, `${at}.${key} is not a list.`, 'Write a list.');
  }
  if (!asList(verification.commands).every(isString))
    report(`${at}.commands`, 'A command is not a string.', 'List commands as strings.');
  for (const [index, evidence] of asList(verification.machine_evidence).entries())
    checkEvidence(`${at}.machine_evidence.${index}`, evidence, report);
  for (const [index, file] of asList(verification.produced_files).entries()) {
    const field = `${at}.produced_files.${index}`;
    if (isRecord(file) && isNonBlank(file.path))
      checkOneOf(`${field}.disposition`, file.disposition, ['artifact', 'ignore'], report);
    else report(`${field}.path`, 'A produced file has no path.', 'Name its path.');
  }
}

function checkEvidence(at: string, evidence: unknown, report: Report) {
  if (!isRecord(evidence)) return report(at, `${at} is not an object.`, 'Write { "command", "exit_code" }.');
  if (!isNonBlank(evidence.command)) report(`${at}.command`, 'The command is missing.', 'Name it.');
  if (!Number.isInteger(evidence.exit_code))
    report(`${at}.exit_code`, 'exit_code is not a whole number.', 'Write the exit code as a number.');
  if (evidence.expected_exit_code !== undefined && !Number.isInteger(evidence.expected_exit_code))
    report(`${at}.expected_exit_code`, 'expected_exit_code is not a whole number.', 'Write a number.');
}

function checkProposedChange(at: string, change: LooseRecord, report: Report) {
  checkOneOf(`${at}.action`, change.action, ['create', 'modify', 'delete'], report);
  if (!isNonBlank(change.path)) report(`${at}.path`, 'The change has no path.', 'Name its path.');
  if (change.action !== 'delete' && !isString(change.content))
    report(`${at}.content`, 'The change has no content.', 'Give the whole new content of the file.');
}

function checkDelegation(at: string, delegation: LooseRecord, report: Report) {
  if (!isString(delegation.id) || !DELEGATION_ID.test(delegation.id))
    report(`${at}.id`, `${at}.id is not a delegation id.`, 'Use del- and three digits.');
  if (!isString(delegation.to_role) || !ROLE_ID.test(delegation.to_role))
    report(`${at}.to_role`, `${at}.to_role is not a role id.`, 'Name a declared role.');
  if (!isNonBlank(delegation.charter))
    report(`${at}.charter`, `${at}.charter is missing.`, 'Say what the role is charged with.');
  const contract = asList(delegation.acceptance_contract);
  if (contract.length === 0 || !contract.every(isNonBlank)) {
    const message = 'The acceptance contract is empty.';
    report(`${at}.acceptance_contract`, message, 'List what has to hold at the end.');
  }
  const field = `${at}.required_decision_ids`;
  const ids = delegation.required_decision_ids;
  if (!isGiven(ids)) return;
  if (!Array.isArray(ids) || ids.length === 0 || !ids.every(isDecisionId))
    report(field, `${field} is not a list of decision ids.`, 'List DEC- ids, or leave it out.');
  else if (new Set(ids).size < ids.length) report(field, `${field} names an id twice.`, 'Name each id once.');
}
