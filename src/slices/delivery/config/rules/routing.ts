import { asRecord, isRecord, isString, type LooseRecord, member } from '../../../../kernel/json/loose.ts';
import { isGiven, isWhole, type Report } from '../../findings.ts';
import { PHASE_NAME } from '../../ids.ts';
import { isPositive } from './limits.ts';

const MAX_CONCURRENT_TURNS = 4;

export function checkRouting(config: LooseRecord, report: Report) {
  const { routing } = config;
  if (routing === undefined) return;
  if (!isRecord(routing))
    return report('routing', 'routing is not an object.', 'Map each phase to its route.');
  for (const [phase, route] of Object.entries(routing)) checkRoute(config, phase, route, report);
}

function checkRoute(config: LooseRecord, phase: string, route: unknown, report: Report) {
  const at = `routing.${phase}`;
  if (!isRecord(route)) return report(at, `Phase "${phase}" has no route object.`, 'Write it as an object.');
  if (route.entry_role !== undefined) checkRoleId(config, `${at}.entry_role`, route.entry_role, report);
  checkAllowedRoles(config, `${at}.allowed_next_roles`, route.allowed_next_roles, report);
  checkGateId(config, `${at}.exit_gate`, route.exit_gate, report);
  const cap = route.max_concurrent_turns;
  if (cap !== undefined && !isWhole(cap, 1, MAX_CONCURRENT_TURNS)) {
    const next = `Use a whole number of 1 to ${MAX_CONCURRENT_TURNS}.`;
    report(`${at}.max_concurrent_turns`, `max_concurrent_turns is ${JSON.stringify(cap)}.`, next);
  }
  if (route.timeout_minutes !== undefined && !isPositive(route.timeout_minutes))
    report(`${at}.timeout_minutes`, 'timeout_minutes is not a number above zero.', 'Use minutes above zero.');
  if (!PHASE_NAME.test(phase))
    report(at, `"${phase}" is not a phase name.`, 'Start with a-z; then a-z, 0-9, _ and -.');
}

function checkAllowedRoles(config: LooseRecord, field: string, roles: unknown, report: Report) {
  if (roles === undefined) return;
  if (!Array.isArray(roles))
    return report(field, 'allowed_next_roles is not a list.', 'Write a list of role ids.');
  for (const [index, role] of roles.entries())
    if (role !== 'human') checkRoleId(config, `${field}.${index}`, role, report);
}

function checkRoleId(config: LooseRecord, field: string, role: unknown, report: Report) {
  const roles = asRecord(config.roles);
  if (isString(role) && isRecord(member(roles, role))) return;
  report(
    field,
    `${field} names ${JSON.stringify(role)}, which is not a declared role.`,
    `Use one of: ${Object.keys(roles).join(', ') || 'none declared yet'}.`,
    { type: 'undeclared_role_reference', facts: { referenced_role: role ?? null } },
  );
}

function checkGateId(config: LooseRecord, field: string, gate: unknown, report: Report) {
  const gates = asRecord(config.gates);
  if (!isGiven(gate) || (isString(gate) && isRecord(member(gates, gate)))) return;
  report(
    field,
    `${field} names ${JSON.stringify(gate)}, which is not a declared gate.`,
    `Declare it under gates, or use one of: ${Object.keys(gates).join(', ') || 'none declared yet'}.`,
    { type: 'undeclared_gate_reference', facts: { referenced_gate: gate } },
  );
}
