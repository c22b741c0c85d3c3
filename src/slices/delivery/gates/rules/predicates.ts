import { member } from '../../../../kernel/json/loose.ts';
import {
  type Gate,
  type GovernedConfig,
  phasesOf,
  routeOf,
  type WorkflowArtifact,
} from '../../config/config.ts';
import type { HistoryRow } from '../../records.ts';
import { documentFault } from './documents.ts';

export interface GateEvidence {
  /** Text of each file that the gate reads; an absent key is an absent file. */
  readonly files: ReadonlyMap<string, string>;
  /** Why a document does not count although it is there; only where documents are bound to the run. */
  readonly unbound?: ReadonlyMap<string, string>;
  readonly verificationStatus: string | undefined;
  /** Accepted turns of this run. */
  readonly history: readonly HistoryRow[];
}

export interface GateFindings {
  readonly missingFiles: readonly string[];
  /** Paths whose content failed its check. */
  readonly failingFiles: readonly string[];
  readonly verificationFailed: boolean;
  readonly reasons: readonly string[];
}

const PASSING = ['pass', 'attested_pass'];

export function judgeGate(
  config: GovernedConfig,
  phase: string,
  gate: Gate,
  evidence: GateEvidence,
): GateFindings {
  const missing: string[] = [];
  const failing: string[] = [];
  const reasons: string[] = [];
  for (const artifact of gateArtifacts(config, phase, gate)) {
    const text = evidence.files.get(artifact.path);
    if (text === undefined) {
      if (!artifact.required) continue;
      missing.push(artifact.path);
      reasons.push(`Required file is missing: ${artifact.path}`);
    } else {
      const fault =
        documentFault(artifact.path, text, artifact.semantics, artifact.sections) ??
        evidence.unbound?.get(artifact.path);
      if (fault !== undefined) {
        failing.push(artifact.path);
        reasons.push(fault);
      }
    }
    if (artifact.owned_by !== undefined && !tookPart(artifact.owned_by, phase, evidence.history)) {
      reasons.push(
        `${artifact.path} is owned by "${artifact.owned_by}", who has no accepted turn in phase "${phase}".`,
      );
    }
  }
  const verificationFailed =
    gate.requires_verification_pass && !PASSING.includes(evidence.verificationStatus ?? '');
  if (verificationFailed)
    reasons.push(`Verification is "${evidence.verificationStatus ?? 'missing'}", not a pass.`);
  return { missingFiles: missing, failingFiles: failing, verificationFailed, reasons };
}

/** The files a gate reads: its own list, then those of the workflow kit for that phase. */
function gateArtifacts(config: GovernedConfig, phase: string, gate: Gate): readonly WorkflowArtifact[] {
  const kit = member(config.artifacts, phase) ?? [];
  const listed = gate.requires_files
    .filter((path) => !kit.some((artifact) => artifact.path === path))
    .map((path): WorkflowArtifact => ({ path, required: true }));
  const promised = kit.map((artifact) => ({
    ...artifact,
    required: artifact.required || gate.requires_files.includes(artifact.path),
  }));
  return [...listed, ...promised];
}

export function gateFilePaths(config: GovernedConfig, phase: string): readonly string[] {
  const gate = member(config.gates, routeOf(config, phase)?.exit_gate ?? '');
  return gate === undefined ? [] : gateArtifacts(config, phase, gate).map((artifact) => artifact.path);
}

/** The documents that any gate of the run reads. */
export function allGateFiles(config: GovernedConfig): readonly string[] {
  return [...new Set(phasesOf(config).flatMap((phase) => gateFilePaths(config, phase)))];
}

function tookPart(role: string, phase: string, history: readonly HistoryRow[]): boolean {
  return history.some((row) => row.role === role && row.phase === phase);
}
