import { asRecord, isRecord, isString, type LooseRecord, member } from '../../../../kernel/json/loose.ts';
import { PHASE_NAME } from '../../ids.ts';
import { type ConfigFault, invalid } from './fault.ts';

const MAX_CONCURRENT_TURNS = 4;

export function routingFaults(config: LooseRecord): ConfigFault[] {
  if (config.routing === undefined) return [];
  if (!isRecord(config.routing)) {
    return [invalid('routing', 'routing is not an object.', 'Map each phase to its route.')];
  }
  return Object.entries(config.routing).flatMap(([phase, route]) => oneRoute(config, phase, route));
}

function oneRoute(config: LooseRecord, phase: string, raw: unknown): ConfigFault[] {
  const at = `routing.${phase}`;
  if (!isRecord(raw)) return [invalid(at, `Phase "${phase}" has no route object.`, 'Write it as an object.')];
  const faults: ConfigFault[] = [];
  if (raw.entry_role !== undefined) faults.push(...roleReference(config, `${at}.entry_role`, raw.entry_role));
  faults.push(...allowedRoles(config, `${at}.allowed_next_roles`, raw.allowed_next_roles));
  faults.push(...gateReference(config, `${at}.exit_gate`, raw.exit_gate));
  const cap = raw.max_concurrent_turns;
  if (
    cap !== undefined &&
    !(Number.isInteger(cap) && (cap as number) >= 1 && (cap as number) <= MAX_CONCURRENT_TURNS)
  ) {
    faults.push(
      invalid(
        `${at}.max_concurrent_turns`,
        `max_concurrent_turns is ${JSON.stringify(cap)}.`,
        `Use a whole number of 1 to ${MAX_CONCURRENT_TURNS}.`,
      ),
    );
  }
  if (!PHASE_NAME.test(phase)) {
    faults.push(invalid(at, `"${phase}" is not a phase name.`, 'Start with a-z; then a-z, 0-9, _ and -.'));
  }
  return faults;
}

function allowedRoles(config: LooseRecord, field: string, raw: unknown): ConfigFault[] {
  if (raw === undefined) return [];
  if (!Array.isArray(raw))
    return [invalid(field, 'allowed_next_roles is not a list.', 'Write a list of role ids.')];
  return raw.flatMap((role, index) =>
    role === 'human' ? [] : roleReference(config, `${field}.${index}`, role),
  );
}

function roleReference(config: LooseRecord, field: string, role: unknown): ConfigFault[] {
  const roles = asRecord(config.roles);
  if (isString(role) && isRecord(member(roles, role))) return [];
  return [
    {
      type: 'undeclared_role_reference',
      field,
      message: `${field} names ${JSON.stringify(role)}, which is not a declared role.`,
      next: `Use one of: ${Object.keys(roles).join(', ') || 'none declared yet'}.`,
      facts: { referenced_role: role ?? null },
    },
  ];
}

function gateReference(config: LooseRecord, field: string, gate: unknown): ConfigFault[] {
  if (gate === undefined || gate === null) return [];
  const gates = asRecord(config.gates);
  if (isString(gate) && isRecord(member(gates, gate))) return [];
  return [
    {
      type: 'undeclared_gate_reference',
      field,
      message: `${field} names ${JSON.stringify(gate)}, which is not a declared gate.`,
      next: `Declare it under gates, or use one of: ${Object.keys(gates).join(', ') || 'none declared yet'}.`,
      facts: { referenced_gate: gate },
    },
  ];
}
