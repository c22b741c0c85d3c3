import { member } from '../../../../kernel/json/loose.ts';
import {
  finalPhase,
  type Gate,
  type GovernedConfig,
  nextPhase,
  phasesOf,
  routeOf,
} from '../../config/config.ts';
import { type GateEvidence, type GateFindings, judgeGate } from './predicates.ts';

export type GateOutcome =
  | 'no_request'
  | 'unknown_phase'
  | 'gate_failed'
  | 'not_final_phase'
  | 'awaiting_human_approval'
  | 'advance'
  | 'complete';

export interface GateDecision {
  readonly action: GateOutcome;
  readonly gate: string | null;
  readonly from: string;
  readonly to: string | null;
  /** The first reason, for a wire with room for one; `reasons` has them all. */
  readonly reason: string | null;
  readonly reasons: readonly string[];
  /** Files that made the gate fail: missing or insufficient. */
  readonly files: readonly string[];
  readonly credentialed: boolean;
}

export function evaluatePhaseExit(
  config: GovernedConfig,
  phase: string,
  requested: string | null,
  evidence: GateEvidence,
): GateDecision {
  const at = { from: phase, to: requested };
  if (requested === null) return decide('no_request', at);
  if (!phasesOf(config).includes(requested))
    return decide('unknown_phase', at, [`"${requested}" is not a phase.`]);
  const next = nextPhase(config, phase);
  if (next === undefined) return decide('gate_failed', at, [`Phase "${phase}" is the last one.`]);
  if (requested !== next)
    return decide('gate_failed', at, [`After "${phase}" comes "${next}", not "${requested}".`]);
  return throughGate(config, phase, at, evidence, 'advance');
}

export function evaluateRunCompletion(
  config: GovernedConfig,
  phase: string,
  requested: boolean,
  evidence: GateEvidence,
): GateDecision {
  const at = { from: phase, to: null };
  if (!requested) return decide('no_request', at);
  const last = finalPhase(config);
  if (Object.keys(config.routing).length > 0 && phase !== last) {
    return decide('not_final_phase', at, [
      `Run completion requested but current phase "${phase}" is not the final phase "${last}"`,
    ]);
  }
  return throughGate(config, phase, at, evidence, 'complete');
}

function throughGate(
  config: GovernedConfig,
  phase: string,
  at: { readonly from: string; readonly to: string | null },
  evidence: GateEvidence,
  onward: 'advance' | 'complete',
): GateDecision {
  const name = routeOf(config, phase)?.exit_gate;
  const gate = name === undefined ? undefined : member(config.gates, name);
  if (name === undefined || gate === undefined) return decide(onward, at);
  const findings = judgeGate(config, phase, gate, evidence);
  if (findings.reasons.length > 0) {
    return {
      ...decide('gate_failed', at, findings.reasons, name, gate),
      reason: summary(findings),
      files: [...findings.missingFiles, ...findings.failingFiles],
    };
  }
  return decide(gate.requires_human_approval ? 'awaiting_human_approval' : onward, at, [], name, gate);
}

/** Compared byte for byte by the conformance corpus: missing files first, then verification, then the first text. */
function summary(findings: GateFindings): string {
  if (findings.missingFiles.length > 0) return 'requires_files predicate failed';
  if (findings.verificationFailed) return 'requires_verification_pass predicate failed';
  return findings.reasons[0] ?? '';
}

function decide(
  action: GateOutcome,
  at: { readonly from: string; readonly to: string | null },
  reasons: readonly string[] = [],
  gate: string | null = null,
  declared?: Gate,
): GateDecision {
  return {
    action,
    gate,
    ...at,
    reason: reasons[0] ?? null,
    reasons,
    files: [],
    credentialed: declared?.credentialed ?? false,
  };
}
