import { isDoc, isNonBlank, isText } from '../../../document.ts';
import { DECISION_ID, DELEGATION_ID, ROLE_ID } from '../../../ids.ts';
import type { Finding } from './finding.ts';
import { fault } from './schema-fault.ts';

export function delegationFindings(delegations: unknown): Finding[] {
  if (delegations === undefined || delegations === null) return [];
  if (!Array.isArray(delegations)) return [fault('delegations', 'delegations is no list.', 'Write a list.')];
  return delegations.flatMap((delegation, index) => oneDelegation(`delegations.${index}`, delegation));
}

function oneDelegation(at: string, delegation: unknown): Finding[] {
  if (!isDoc(delegation)) return [fault(at, `${at} is no object.`, 'Write it as an object.')];
  const findings: Finding[] = [];
  if (!isText(delegation.id) || !DELEGATION_ID.test(delegation.id)) {
    findings.push(fault(`${at}.id`, `${at}.id is no delegation id.`, 'Use del- and three digits.'));
  }
  if (!isText(delegation.to_role) || !ROLE_ID.test(delegation.to_role)) {
    findings.push(fault(`${at}.to_role`, `${at}.to_role is no role id.`, 'Name a declared role.'));
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
  if (!Array.isArray(ids) || ids.length === 0 || !ids.every((id) => isText(id) && DECISION_ID.test(id))) {
    return [fault(at, `${at} is no list of decision ids.`, 'List DEC- ids, or leave it out.')];
  }
  return new Set(ids).size === ids.length
    ? []
    : [fault(at, `${at} names an id twice.`, 'Name each id once.')];
}
