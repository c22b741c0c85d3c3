import { asDoc, type Doc, isDoc } from '../../document.ts';
import type { ConfigFault } from './fault.ts';
import { invalid } from './fault.ts';
import { gateFaults } from './gates.ts';
import { hookFaults } from './hooks.ts';
import { limitFaults } from './limits.ts';
import { policyFaults } from './policies.ts';
import { projectFaults, versionFaults } from './project.ts';
import { bindingFaults, roleFaults, roleRuntimeFaults } from './roles.ts';
import { routingFaults } from './routing.ts';
import { runtimeFaults } from './runtimes.ts';
import { workflowKitFaults } from './workflow-kit.ts';

/** Everything wrong with a config. The order is part of the contract: the first fault names the refusal. */
export function validateConfig(raw: unknown): readonly ConfigFault[] {
  if (!isDoc(raw)) {
    return [invalid('', 'The config is not a JSON object.', 'Write agentxchain.json as one JSON object.')];
  }
  const config: Doc = raw;
  const runtimes = asDoc(config.runtimes);
  const roles = asDoc(config.roles);
  return [
    ...versionFaults(config),
    ...roleRuntimeFaults(roles, runtimes),
    ...routingFaults(config),
    ...projectFaults(config),
    ...roleFaults(config),
    ...runtimeFaults(config),
    ...bindingFaults(roles, runtimes),
    ...gateFaults(config),
    ...hookFaults(config),
    ...workflowKitFaults(config),
    ...policyFaults(config),
    ...limitFaults(config),
  ];
}
