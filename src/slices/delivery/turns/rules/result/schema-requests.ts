import { type Doc, isDoc, isNonBlank, isText } from '../../../document.ts';
import type { Finding } from './finding.ts';
import { fault } from './schema-fault.ts';

/** The optional members that ask for something, and the bill. */
export function requestFindings(result: Doc): Finding[] {
  const findings: Finding[] = [];
  const transition = result.phase_transition_request ?? null;
  if (transition !== null && !isNonBlank(transition)) {
    findings.push(
      fault('phase_transition_request', 'The request names no phase.', 'Name a phase, or use null.'),
    );
  }
  const completion = result.run_completion_request ?? null;
  if (completion !== null && typeof completion !== 'boolean') {
    findings.push(fault('run_completion_request', 'The request is no boolean.', 'Use true, false or null.'));
  }
  const reason = result.needs_human_reason ?? null;
  if (reason !== null && !isText(reason)) {
    findings.push(fault('needs_human_reason', 'needs_human_reason is no text.', 'Say why in words.'));
  }
  return [...findings, ...costFindings(result.cost ?? null)];
}

function costFindings(cost: unknown): Finding[] {
  if (cost === null) return [];
  if (!isDoc(cost)) return [fault('cost', 'cost is no object.', 'Write { "usd": … }.')];
  return ['input_tokens', 'output_tokens', 'usd']
    .filter((key) => {
      const value = cost[key] ?? null;
      return value !== null && !(typeof value === 'number' && Number.isFinite(value) && value >= 0);
    })
    .map((key) => fault(`cost.${key}`, `cost.${key} is no amount.`, 'Use a number of zero or more.'));
}
