import { member } from '../document.ts';
import { refusalError } from '../errors.ts';
import type { RunRepository } from '../repository/repository.ts';
import { type CurrentGate, currentGate } from './current-gate.ts';

export interface GateReport {
  readonly gate: CurrentGate;
  readonly phase: string;
  readonly status: string;
  readonly passesNow: boolean;
}

/** What a gate would say if it were asked now. Without a name, the gate of the current phase. */
export async function showGate(repository: RunRepository, name?: string): Promise<GateReport | null> {
  const snapshot = await repository.snapshot();
  const { config, state } = snapshot;
  if (name !== undefined && member(config.gates, name) === undefined) {
    throw refusalError({
      type: 'unknown_gate',
      rule: 'gate.known',
      field: 'gate',
      message: `"${name}" is no declared gate.`,
      next: `Use one of: ${Object.keys(config.gates).join(', ') || 'none declared'}.`,
    });
  }
  const phase =
    name === undefined
      ? state.phase
      : (Object.entries(config.routing).find(([, route]) => route.exit_gate === name)?.[0] ?? state.phase);
  const gate = await currentGate(repository.root, { ...snapshot, state: { ...state, phase } });
  if (gate === undefined) return null;
  return {
    gate,
    phase,
    status: member(state.phase_gate_status, gate.name) ?? 'pending',
    passesNow: gate.reasons.length === 0,
  };
}
