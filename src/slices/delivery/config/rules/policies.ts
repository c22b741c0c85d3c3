import { asDoc, type Doc, isNonBlank, isText } from '../../document.ts';
import { type ConfigFault, invalid } from './fault.ts';

const POLICY_RULES: readonly string[] = [
  'max_turns_per_phase',
  'max_total_turns',
  'max_consecutive_same_role',
  'max_cost_per_turn',
  'require_status',
  'require_reproducible_verification',
];
const COUNTED = POLICY_RULES.slice(0, 4);
const ACTIONS = ['block', 'warn', 'escalate'];

export function policyFaults(config: Doc): ConfigFault[] {
  if (config.policies === undefined) return [];
  if (!Array.isArray(config.policies)) return [invalid('policies', 'policies is no list.', 'Write a list.')];
  return config.policies.flatMap((raw, index) => onePolicy(`policies.${index}`, asDoc(raw)));
}

function onePolicy(at: string, policy: Doc): ConfigFault[] {
  const faults: ConfigFault[] = [];
  if (!isNonBlank(policy.id)) faults.push(invalid(`${at}.id`, 'The policy has no id.', 'Give it one.'));
  if (!isText(policy.rule) || !POLICY_RULES.includes(policy.rule)) {
    faults.push(invalid(`${at}.rule`, 'The rule is unknown.', `Use one of: ${POLICY_RULES.join(', ')}.`));
  }
  if (!isText(policy.action) || !ACTIONS.includes(policy.action)) {
    faults.push(invalid(`${at}.action`, 'The action is unknown.', `Use one of: ${ACTIONS.join(', ')}.`));
  }
  const params = asDoc(policy.params);
  if (
    isText(policy.rule) &&
    COUNTED.includes(policy.rule) &&
    !(typeof params.limit === 'number' && params.limit > 0)
  ) {
    faults.push(
      invalid(`${at}.params.limit`, `${policy.rule} has no limit.`, 'Set params.limit above zero.'),
    );
  }
  if (policy.rule === 'require_status' && !(Array.isArray(params.allowed) && params.allowed.every(isText))) {
    faults.push(invalid(`${at}.params.allowed`, 'require_status lists no statuses.', 'Set params.allowed.'));
  }
  return faults;
}
