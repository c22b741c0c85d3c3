import { access } from 'node:fs/promises';
import { routeOf } from '../config/rules/phases.ts';
import { member } from '../document.ts';
import { within } from '../repository/paths.ts';
import { readText } from '../repository/row-file.ts';
import type { Snapshot } from '../repository/snapshot.ts';
import type { GateFindings } from './rules/predicates.ts';
import { gateFilePaths, judgeGate } from './rules/predicates.ts';

export interface CurrentGate extends GateFindings {
  readonly name: string;
  readonly files: readonly string[];
  readonly requiresHumanApproval: boolean;
  readonly requiresVerificationPass: boolean;
}

/** What the gate of the current phase says about the work tree as it is. */
export async function currentGate(root: string, snapshot: Snapshot): Promise<CurrentGate | undefined> {
  const { config, state, history } = snapshot;
  const name = routeOf(config, state.phase)?.exit_gate;
  const gate = name === undefined ? undefined : member(config.gates, name);
  if (name === undefined || gate === undefined) return undefined;
  const last = history.at(-1)?.verification as { status?: string } | undefined;
  const findings = judgeGate(config, state.phase, gate, {
    files: await readGateFiles(root, snapshot),
    verificationStatus: last?.status,
    history,
  });
  return {
    ...findings,
    name,
    files: gateFilePaths(config, state.phase),
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
    const file = within(root, path);
    const exists = await access(file).then(
      () => true,
      () => false,
    );
    if (exists) files.set(path, await readText(file));
  }
  return files;
}
