import { isDoc, isNonBlank, isText } from '../../../document.ts';
import { OBJECTION_ID } from '../../../ids.ts';
import { OBJECTION_SEVERITIES, OBJECTION_STATUSES } from '../../turn-result.ts';
import type { Finding } from './finding.ts';
import { fault, oneOf } from './schema-fault.ts';

export function objectionFindings(objections: unknown): Finding[] {
  if (objections === undefined || objections === null) return [];
  if (!Array.isArray(objections)) return [fault('objections', 'objections is no list.', 'Write a list.')];
  return objections.flatMap((objection, index) => oneObjection(`objections.${index}`, objection));
}

function oneObjection(at: string, objection: unknown): Finding[] {
  if (!isDoc(objection)) return [fault(at, `${at} is no object.`, 'Write it as an object.')];
  const findings: Finding[] = [];
  if (!isText(objection.id) || !OBJECTION_ID.test(objection.id)) {
    findings.push(fault(`${at}.id`, `${at}.id is no objection id.`, 'Use OBJ- and digits.'));
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
    if (value !== undefined && value !== null && !isText(value)) {
      findings.push(fault(`${at}.${key}`, `${at}.${key} is no text.`, 'Write it as text, or leave it out.'));
    }
  }
  return findings;
}
