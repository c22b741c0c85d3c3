import { member } from '../../../kernel/json/loose.ts';
import { routeOf } from '../config/config.ts';
import { refusalError } from '../errors.ts';
import { regularFile } from '../repository/keep.ts';
import { within } from '../repository/paths.ts';
import type { RunRepository } from '../repository/repository.ts';
import type { Snapshot } from '../repository/snapshot.ts';
import { attachmentOf, UNATTACHED } from '../runs/attachment.ts';
import { hashes } from '../turns/observe.ts';
import { unboundDocuments } from './rules/binding.ts';
import { type GateFindings, gateFilePaths, judgeGate } from './rules/predicates.ts';

export interface CurrentGate extends GateFindings {
  readonly name: string;
  readonly files: readonly string[];
  readonly requiresHumanApproval: boolean;
  readonly requiresVerificationPass: boolean;
}

/** How the gate of the current phase judges the work tree as it is now. */
export async function currentGate(
  { root, hasher }: Pick<RunRepository, 'root' | 'hasher'>,
  snapshot: Snapshot,
): Promise<CurrentGate | undefined> {
  const { config, state, history } = snapshot;
  const name = routeOf(config, state.phase)?.exit_gate;
  const gate = name === undefined ? undefined : member(config.gates, name);
  if (name === undefined || gate === undefined) return undefined;
  const last = history.at(-1)?.verification as { status?: string } | undefined;
  const paths = gateFilePaths(config, state.phase);
  const now = await hashes({ root, hasher }, paths);
  const findings = judgeGate(config, state.phase, gate, {
    files: await readGateFiles(root, snapshot),
    unbound: unboundDocuments(now, history, snapshot.ledger, state.run_id),
    verificationStatus: last?.status,
    history,
  });
  return {
    ...findings,
    name,
    files: paths,
    requiresHumanApproval: gate.requires_human_approval,
    requiresVerificationPass: gate.requires_verification_pass,
  };
}

export async function readGateFiles(
  root: string,
  { config, state }: Snapshot,
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const path of gateFilePaths(config, state.phase)) {
    const bytes = await regularFile(within(root, path));
    if (typeof bytes !== 'string') files.set(path, bytes.toString('utf8'));
  }
  return files;
}

export interface GateReport {
  readonly gate: CurrentGate;
  readonly phase: string;
  readonly status: string;
  readonly passesNow: boolean;
  /** What is to be known where no credential stands behind a decision; null where one does. */
  readonly standing: string | null;
}

/** How a gate would decide now; the gate of the current phase by default. */
export async function showGate(repository: RunRepository, name?: string): Promise<GateReport | null> {
  const snapshot = await repository.snapshot();
  const { config, state } = snapshot;
  if (name !== undefined && member(config.gates, name) === undefined) {
    throw refusalError({
      type: 'unknown_gate',
      rule: 'gate.known',
      field: 'gate',
      message: `"${name}" is not a declared gate.`,
      next: `Use one of: ${Object.keys(config.gates).join(', ') || 'none declared'}.`,
    });
  }
  const phase =
    name === undefined
      ? state.phase
      : (Object.entries(config.routing).find(([, route]) => route.exit_gate === name)?.[0] ?? state.phase);
  const gate = await currentGate(repository, { ...snapshot, state: { ...state, phase } });
  if (gate === undefined) return null;
  return {
    gate,
    phase,
    status: member(state.phase_gate_status, gate.name) ?? 'pending',
    passesNow: gate.reasons.length === 0,
    standing: (await attachmentOf(repository)) === null ? UNATTACHED : null,
  };
}
