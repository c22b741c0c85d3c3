import { member } from '../../../../kernel/json/loose.ts';
import { type Finding, findingsOf, type Report } from '../../findings.ts';
import { isReviewablePath } from '../../path-rules.ts';
import { type GovernedConfig, phasesOf, rolesInPhase, routeOf } from '../config.ts';

/** Finds, before the first turn, why no run could ever finish under a config. */
export function admissionFaults(config: GovernedConfig): readonly Finding[] {
  return findingsOf('invalid_config', (report) => {
    for (const phase of phasesOf(config)) {
      checkWorkers(config, phase, report);
      checkGatedFiles(config, phase, report);
      checkOwners(config, phase, report);
    }
  });
}

function checkWorkers(config: GovernedConfig, phase: string, report: Report) {
  if (rolesInPhase(config, phase).length > 0) return;
  const next = 'Name an entry_role, or add a role to allowed_next_roles.';
  report(`routing.${phase}.allowed_next_roles`, `No role may work in phase "${phase}".`, next);
}

function checkGatedFiles(config: GovernedConfig, phase: string, report: Report) {
  const gate = routeOf(config, phase)?.exit_gate;
  const files = gate === undefined ? [] : (member(config.gates, gate)?.requires_files ?? []);
  const required = (member(config.artifacts, phase) ?? []).filter((artifact) => artifact.required);
  for (const path of [...files, ...required.map((artifact) => artifact.path)]) {
    if (someoneWrites(config, phase, path)) continue;
    report(
      `gates.${gate ?? phase}.requires_files`,
      `Phase "${phase}" cannot end: it requires ${path}, and no role of that phase may write it.`,
      'Let an authoritative or proposed role into the phase, or drop the file.',
    );
  }
}

function checkOwners(config: GovernedConfig, phase: string, report: Report) {
  const present = rolesInPhase(config, phase);
  for (const { path, owned_by: owner } of member(config.artifacts, phase) ?? []) {
    if (owner === undefined || present.includes(owner)) continue;
    report(
      `workflow_kit.phases.${phase}.artifacts`,
      `${path} is owned by "${owner}", who never works in phase "${phase}".`,
      `Add ${owner} to routing.${phase}.allowed_next_roles, or change the owner.`,
    );
  }
}

function someoneWrites(config: GovernedConfig, phase: string, path: string): boolean {
  return rolesInPhase(config, phase).some((id) => {
    const authority = member(config.roles, id)?.write_authority;
    return authority !== 'review_only' || isReviewablePath(path);
  });
}
