import {
  asList,
  asRecord,
  asStrings,
  isRecord,
  isString,
  type LooseRecord,
  member,
} from '../../../../kernel/json/loose.ts';
import type { Report } from '../../findings.ts';
import type { ApprovalAction, ApprovalConditions, ApprovalPolicy } from '../config.ts';

const ACTIONS: readonly unknown[] = ['auto_approve', 'require_human'];

export function checkApprovalPolicy(config: LooseRecord, report: Report) {
  const policy = config.approval_policy;
  if (policy === undefined) return;
  const at = 'approval_policy';
  if (!isRecord(policy)) return report(at, `${at} is not an object.`, 'Write it as an object.');
  const { phase_transitions: transitions, run_completion: completion, rules } = policy;
  if (transitions !== undefined) checkTransitions(config, `${at}.phase_transitions`, transitions, report);
  if (completion !== undefined) checkRule(config, `${at}.run_completion`, completion, report);
  if (rules !== undefined && !Array.isArray(rules))
    return report(`${at}.rules`, 'rules is not a list.', 'Write a list.');
  for (const [index, rule] of asList(rules).entries()) {
    const field = `${at}.rules.${index}`;
    checkRule(config, field, rule, report);
    const { gate } = asRecord(rule);
    if (gate !== undefined && !(isString(gate) && isRecord(member(asRecord(config.gates), gate))))
      report(`${field}.gate`, `${JSON.stringify(gate)} is not a declared gate.`, 'Name a declared gate.');
  }
}

function checkTransitions(config: LooseRecord, at: string, transitions: unknown, report: Report) {
  if (!isRecord(transitions)) return report(at, `${at} is not an object.`, 'Write it as an object.');
  if (transitions.default !== undefined) checkAction(`${at}.default`, transitions.default, report);
  if (transitions.rules !== undefined && !Array.isArray(transitions.rules))
    return report(`${at}.rules`, 'rules is not a list.', 'Write a list.');
  for (const [index, rule] of asList(transitions.rules).entries()) {
    const field = `${at}.rules.${index}`;
    checkRule(config, field, rule, report);
    for (const key of ['from_phase', 'to_phase']) {
      const phase = asRecord(rule)[key];
      if (phase === undefined || (isString(phase) && isRecord(member(asRecord(config.routing), phase))))
        continue;
      report(`${field}.${key}`, `${JSON.stringify(phase)} is not a phase of routing.`, 'Name a phase.');
    }
  }
}

function checkRule(config: LooseRecord, at: string, rule: unknown, report: Report) {
  if (!isRecord(rule)) return report(at, `${at} is not an object.`, 'Write it as an object.');
  checkAction(`${at}.action`, rule.action, report);
  if (rule.when === undefined) return;
  if (!isRecord(rule.when)) return report(`${at}.when`, 'when is not an object.', 'Write it as an object.');
  const { gate_passed, all_phases_visited, credentialed_gate, roles_participated: roles } = rule.when;
  for (const [key, value] of Object.entries({ gate_passed, all_phases_visited })) {
    if (value !== undefined && value !== true)
      report(`${at}.when.${key}`, `${key} can only be required.`, 'Set it to true, or leave it out.');
  }
  if (credentialed_gate !== undefined && credentialed_gate !== false) {
    const message = 'A credentialed gate is never approved by a policy.';
    report(`${at}.when.credentialed_gate`, message, 'Set it to false, or leave it out.');
  }
  const known = asRecord(config.roles);
  if (roles === undefined) return;
  if (!Array.isArray(roles) || !roles.every((role) => isString(role) && isRecord(member(known, role))))
    report(`${at}.when.roles_participated`, 'Not every entry is a declared role.', 'List declared roles.');
}

function checkAction(field: string, action: unknown, report: Report) {
  if (!ACTIONS.includes(action)) report(field, 'The action is unknown.', `Use ${ACTIONS.join(' or ')}.`);
}

/** Anything that is not plainly `auto_approve` asks a person. */
export function readApprovalPolicy(raw: unknown): ApprovalPolicy {
  const policy = asRecord(raw);
  const transitions = asRecord(policy.phase_transitions);
  const completion = asRecord(policy.run_completion);
  return {
    gates: asList(policy.rules)
      .map(asRecord)
      .map((rule) => ({
        ...(isString(rule.gate) ? { gate: rule.gate } : {}),
        action: actionOf(rule.action),
        when: conditionsOf(rule.when),
      })),
    transitions: asList(transitions.rules)
      .map(asRecord)
      .map((rule) => ({
        ...(isString(rule.from_phase) ? { from: rule.from_phase } : {}),
        ...(isString(rule.to_phase) ? { to: rule.to_phase } : {}),
        action: actionOf(rule.action),
        when: conditionsOf(rule.when),
      })),
    otherTransitions: actionOf(transitions.default),
    completion: { action: actionOf(completion.action), when: conditionsOf(completion.when) },
  };
}

function actionOf(action: unknown): ApprovalAction {
  return action === 'auto_approve' ? 'auto_approve' : 'require_human';
}

const KNOWN_CONDITIONS = ['gate_passed', 'roles_participated', 'all_phases_visited', 'credentialed_gate'];

function conditionsOf(raw: unknown): ApprovalConditions {
  const when = asRecord(raw);
  return {
    roles: asStrings(when.roles_participated),
    allPhases: when.all_phases_visited === true,
    unknown: Object.keys(when).some((key) => !KNOWN_CONDITIONS.includes(key)),
  };
}
