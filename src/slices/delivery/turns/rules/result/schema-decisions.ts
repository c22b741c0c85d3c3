import { isDoc, isNonBlank, isText } from '../../../document.ts';
import { DECISION_ID } from '../../../ids.ts';
import { DECISION_CATEGORIES } from '../../turn-result.ts';
import type { Finding } from './finding.ts';
import { fault, oneOf } from './schema-fault.ts';

export function decisionFindings(decisions: unknown): Finding[] {
  if (decisions === undefined || decisions === null) return [];
  if (!Array.isArray(decisions)) return [fault('decisions', 'decisions is no list.', 'Write a list.')];
  return decisions.flatMap((decision, index) => oneDecision(`decisions.${index}`, decision));
}

function oneDecision(at: string, decision: unknown): Finding[] {
  if (!isDoc(decision)) return [fault(at, `${at} is no object.`, 'Write it as an object.')];
  const findings: Finding[] = [];
  if (!isText(decision.id) || !DECISION_ID.test(decision.id)) {
    findings.push(
      fault(`${at}.id`, `${at}.id is no decision id.`, 'Use DEC- and digits.', 'invalid_decision_id_format'),
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
  if (overrides !== null && !(isText(overrides) && DECISION_ID.test(overrides))) {
    findings.push(
      fault(`${at}.overrides`, `${at}.overrides is no decision id.`, 'Name the overridden DEC- id.'),
    );
  } else if (overrides !== null && overrides === decision.id) {
    findings.push(
      fault(`${at}.overrides`, 'A decision cannot override itself.', 'Name another decision, or none.'),
    );
  }
  return findings;
}
