import { member } from '../../../../kernel/json/loose.ts';
import type { GovernedConfig, Route } from '../config.ts';

export const DEFAULT_PHASES: readonly string[] = ['planning', 'implementation', 'qa'];

type Routed = Pick<GovernedConfig, 'routing'>;

/** Phases run in the order in which `routing` names them. */
export function phasesOf(config: Routed): readonly string[] {
  const declared = Object.keys(config.routing);
  return declared.length > 0 ? declared : DEFAULT_PHASES;
}

export function nextPhase(config: Routed, phase: string): string | undefined {
  const phases = phasesOf(config);
  const at = phases.indexOf(phase);
  return at < 0 ? undefined : phases[at + 1];
}

export function finalPhase(config: Routed): string {
  return phasesOf(config).at(-1) ?? 'qa';
}

export function routeOf(config: Routed, phase: string): Route | undefined {
  return member(config.routing, phase);
}

/** The roles that may work in a phase; one that names no roles is open to all. */
export function rolesInPhase(config: GovernedConfig, phase: string): readonly string[] {
  const route = routeOf(config, phase);
  const named = new Set([
    ...(route?.entry_role ? [route.entry_role] : []),
    ...(route?.allowed_next_roles ?? []),
  ]);
  const all = Object.keys(config.roles);
  return named.size === 0 ? all : all.filter((role) => named.has(role));
}
