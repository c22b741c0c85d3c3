import { asList, isNonBlank, isRecord, isString } from '../../../../../kernel/json/loose.ts';
import { DECISION_ID, DELEGATION_ID, OBJECTION_ID, ROLE_ID } from '../../../ids.ts';
import {
  DECISION_CATEGORIES,
  OBJECTION_SEVERITIES,
  OBJECTION_STATUSES,
  VERIFICATION_STATUSES,
} from '../../turn-result.ts';
import { type Finding, finder } from './stage.ts';

export const fault = finder('schema_error');

export function oneOf(field: string, value: unknown, values: readonly string[]) {
  return typeof value === 'string' && values.includes(value)
    ? []
    : [
        fault(
          field,
          `${field} is ${JSON.stringify(value) ?? 'missing'}.`,
          `Use one of: ${values.join(', ')}.`,
        ),
      ];
}

export function decisionFindings(decisions: unknown): Finding[] {
  if (decisions === undefined || decisions === null) return [];
  if (!Array.isArray(decisions)) return [fault('decisions', 'decisions is not a list.', 'Write a list.')];
  return decisions.flatMap((decision, index) => oneDecision(`decisions.${index}`, decision));
}

function oneDecision(at: string, decision: unknown): Finding[] {
  if (!isRecord(decision)) return [fault(at, `${at} is not an object.`, 'Write it as an object.')];
  const findings: Finding[] = [];
  if (!isString(decision.id) || !DECISION_ID.test(decision.id)) {
    findings.push(
      fault(
        `${at}.id`,
        `${at}.id is not a decision id.`,
        'Use DEC- and digits.',
        'invalid_decision_id_format',
      ),
    );
  }
  findings.push(...oneOf(`${at}.category`, decision.category, DECISION_CATEGORIES));
  for (const key of ['statement', 'rationale']) {
    if (!isNonBlank(decision[key])) {
      findings.push(fault(`${at}.${key}`, `${at}.${key} is empty.`, `Write the ${key} out.`));
    }
  }
  if (decision.durability !== undefined) {
    findings.push(...oneOf(`${at}.durability`, decision.durability, ['run', 'repo']));
  }
  const overrides = decision.overrides ?? null;
  if (overrides !== null && !(isString(overrides) && DECISION_ID.test(overrides))) {
    findings.push(
      fault(`${at}.overrides`, `${at}.overrides is not a decision id.`, 'Name the overridden DEC- id.'),
    );
  } else if (overrides !== null && overrides === decision.id) {
    findings.push(
      fault(`${at}.overrides`, 'A decision cannot override itself.', 'Name another decision, or none.'),
    );
  }
  return findings;
}

export function objectionFindings(objections: unknown): Finding[] {
  if (objections === undefined || objections === null) return [];
  if (!Array.isArray(objections)) return [fault('objections', 'objections is not a list.', 'Write a list.')];
  return objections.flatMap((objection, index) => oneObjection(`objections.${index}`, objection));
}

function oneObjection(at: string, objection: unknown): Finding[] {
  if (!isRecord(objection)) return [fault(at, `${at} is not an object.`, 'Write it as an object.')];
  const findings: Finding[] = [];
  if (!isString(objection.id) || !OBJECTION_ID.test(objection.id)) {
    findings.push(fault(`${at}.id`, `${at}.id is not an objection id.`, 'Use OBJ- and digits.'));
  }
  findings.push(...oneOf(`${at}.severity`, objection.severity, OBJECTION_SEVERITIES));
  if (!isNonBlank(objection.statement)) {
    findings.push(fault(`${at}.statement`, `${at}.statement is empty.`, 'Say what is wrong.'));
  }
  if (objection.status !== undefined) {
    findings.push(...oneOf(`${at}.status`, objection.status, OBJECTION_STATUSES));
  }
  for (const key of ['against_turn_id', 'against_decision_id', 'proposed_resolution']) {
    const value = objection[key];
    if (value !== undefined && value !== null && !isString(value)) {
      findings.push(
        fault(`${at}.${key}`, `${at}.${key} is not a string.`, 'Write it as a string, or leave it out.'),
      );
    }
  }
  return findings;
}

export function verificationFindings(verification: unknown): Finding[] {
  if (verification === undefined || verification === null) return [];
  const at = 'verification';
  if (!isRecord(verification)) return [fault(at, 'verification is not an object.', 'Write { "status": … }.')];
  const findings = oneOf(`${at}.status`, verification.status, VERIFICATION_STATUSES);
  for (const key of ['commands', 'machine_evidence', 'produced_files']) {
    if (verification[key] !== undefined && !Array.isArray(verification[key])) {
      findings.push(fault(`${at}.${key}`, `${at}.${key} is not a list.`, 'Write a list.'));
    }
  }
  if (!asList(verification.commands).every(isString)) {
    findings.push(fault(`${at}.commands`, 'A command is not a string.', 'List commands as strings.'));
  }
  asList(verification.machine_evidence).forEach((evidence, index) => {
    findings.push(...evidenceFindings(`${at}.machine_evidence.${index}`, evidence));
  });
  asList(verification.produced_files).forEach((file, index) => {
    const field = `${at}.produced_files.${index}`;
    if (!isRecord(file) || !isNonBlank(file.path)) {
      findings.push(fault(`${field}.path`, 'A produced file has no path.', 'Name its path.'));
      return;
    }
    findings.push(...oneOf(`${field}.disposition`, file.disposition, ['artifact', 'ignore']));
  });
  return findings;
}

function evidenceFindings(at: string, evidence: unknown): Finding[] {
  if (!isRecord(evidence)) return [fault(at, `${at} is not an object.`, 'Write { "command", "exit_code" }.')];
  const findings: Finding[] = [];
  if (!isNonBlank(evidence.command))
    findings.push(fault(`${at}.command`, 'The command is missing.', 'Name it.'));
  if (!Number.isInteger(evidence.exit_code)) {
    findings.push(
      fault(`${at}.exit_code`, 'exit_code is not a whole number.', 'Write the exit code as a number.'),
    );
  }
  if (evidence.expected_exit_code !== undefined && !Number.isInteger(evidence.expected_exit_code)) {
    findings.push(
      fault(`${at}.expected_exit_code`, 'expected_exit_code is not a whole number.', 'Write a number.'),
    );
  }
  return findings;
}

export function proposedChangeFindings(changes: unknown): Finding[] {
  if (changes === undefined || changes === null) return [];
  if (!Array.isArray(changes))
    return [fault('proposed_changes', 'proposed_changes is not a list.', 'Write a list.')];
  return changes.flatMap((change, index) => {
    const at = `proposed_changes.${index}`;
    if (!isRecord(change)) return [fault(at, `${at} is not an object.`, 'Write it as an object.')];
    const findings = oneOf(`${at}.action`, change.action, ['create', 'modify', 'delete']);
    if (!isNonBlank(change.path))
      findings.push(fault(`${at}.path`, 'The change has no path.', 'Name its path.'));
    if (change.action !== 'delete' && !isString(change.content)) {
      findings.push(
        fault(`${at}.content`, 'The change has no content.', 'Give the whole new content of the file.'),
      );
    }
    return findings;
  });
}

export function delegationFindings(delegations: unknown): Finding[] {
  if (delegations === undefined || delegations === null) return [];
  if (!Array.isArray(delegations))
    return [fault('delegations', 'delegations is not a list.', 'Write a list.')];
  return delegations.flatMap((delegation, index) => oneDelegation(`delegations.${index}`, delegation));
}

function oneDelegation(at: string, delegation: unknown): Finding[] {
  if (!isRecord(delegation)) return [fault(at, `${at} is not an object.`, 'Write it as an object.')];
  const findings: Finding[] = [];
  if (!isString(delegation.id) || !DELEGATION_ID.test(delegation.id)) {
    findings.push(fault(`${at}.id`, `${at}.id is not a delegation id.`, 'Use del- and three digits.'));
  }
  if (!isString(delegation.to_role) || !ROLE_ID.test(delegation.to_role)) {
    findings.push(fault(`${at}.to_role`, `${at}.to_role is not a role id.`, 'Name a declared role.'));
  }
  if (!isNonBlank(delegation.charter)) {
    findings.push(fault(`${at}.charter`, `${at}.charter is missing.`, 'Say what the role is charged with.'));
  }
  const contract = delegation.acceptance_contract;
  if (!Array.isArray(contract) || contract.length === 0 || !contract.every(isNonBlank)) {
    findings.push(
      fault(
        `${at}.acceptance_contract`,
        'The acceptance contract is empty.',
        'List what has to hold at the end.',
      ),
    );
  }
  return [
    ...findings,
    ...requiredIdFindings(`${at}.required_decision_ids`, delegation.required_decision_ids),
  ];
}

function requiredIdFindings(at: string, ids: unknown): Finding[] {
  if (ids === undefined || ids === null) return [];
  if (!Array.isArray(ids) || ids.length === 0 || !ids.every((id) => isString(id) && DECISION_ID.test(id))) {
    return [fault(at, `${at} is not a list of decision ids.`, 'List DEC- ids, or leave it out.')];
  }
  return new Set(ids).size === ids.length
    ? []
    : [fault(at, `${at} names an id twice.`, 'Name each id once.')];
}
