import { member } from '../../../../kernel/json/loose.ts';
import { isReviewablePath } from '../../path-rules.ts';
import type { GovernedConfig } from '../config.ts';
import { type ConfigFault, invalid } from './fault.ts';
import { phasesOf, rolesInPhase, routeOf } from './phases.ts';

/** Finds, before the first turn, why no run could ever finish under a config. */
export function admissionFaults(config: GovernedConfig): readonly ConfigFault[] {
  return phasesOf(config).flatMap((phase) => [
    ...workerFaults(config, phase),
    ...gatedFileFaults(config, phase),
    ...ownerFaults(config, phase),
  ]);
}

function workerFaults(config: GovernedConfig, phase: string): ConfigFault[] {
  if (rolesInPhase(config, phase).length > 0) return [];
  return [
    invalid(
      `routing.${phase}.allowed_next_roles`,
      `No role may work in phase "${phase}".`,
      'Name an entry_role, or add a role to allowed_next_roles.',
    ),
  ];
}

function gatedFileFaults(config: GovernedConfig, phase: string): ConfigFault[] {
  const gate = routeOf(config, phase)?.exit_gate;
  const files = gate === undefined ? [] : (member(config.gates, gate)?.requires_files ?? []);
  const required = (member(config.artifacts, phase) ?? []).filter((artifact) => artifact.required);
  return [...files, ...required.map((artifact) => artifact.path)]
    .filter((path) => !someoneWrites(config, phase, path))
    .map((path) =>
      invalid(
        `gates.${gate ?? phase}.requires_files`,
        `Phase "${phase}" cannot end: it requires ${path}, and no role of that phase may write it.`,
        'Let an authoritative or proposed role into the phase, or drop the file.',
      ),
    );
}

function ownerFaults(config: GovernedConfig, phase: string): ConfigFault[] {
  const present = rolesInPhase(config, phase);
  return (member(config.artifacts, phase) ?? [])
    .filter((artifact) => artifact.owned_by !== undefined && !present.includes(artifact.owned_by))
    .map((artifact) =>
      invalid(
        `workflow_kit.phases.${phase}.artifacts`,
        `${artifact.path} is owned by "${artifact.owned_by}", who never works in phase "${phase}".`,
        `Add ${artifact.owned_by} to routing.${phase}.allowed_next_roles, or change the owner.`,
      ),
    );
}

function someoneWrites(config: GovernedConfig, phase: string, path: string): boolean {
  return rolesInPhase(config, phase).some((id) => {
    const authority = member(config.roles, id)?.write_authority;
    return authority !== 'review_only' || isReviewablePath(path);
  });
}
