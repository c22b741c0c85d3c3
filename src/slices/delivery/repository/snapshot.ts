import { readFile } from 'node:fs/promises';
import { isRecord } from '../../../kernel/json/loose.ts';
import { type GovernedConfig, phasesOf } from '../config/config.ts';
import { readConfig } from '../config/rules/read.ts';
import { deliveryErrors } from '../errors.ts';
import { parseDocument } from '../parse.ts';
import type { HistoryRow, LedgerRow, RepoDecision, RunEvent } from '../records.ts';
import { idleState, type RunState } from '../run-state.ts';
import { ifMissing, readRows } from './files.ts';
import { FILES, within } from './paths.ts';

/** Everything that the rules need to know about a repository, read at once. */
export interface Snapshot {
  readonly rawConfig: unknown;
  readonly config: GovernedConfig;
  readonly state: RunState;
  /** Accepted turns of the current run. */
  readonly history: readonly HistoryRow[];
  readonly ledger: readonly LedgerRow[];
  readonly repoDecisions: readonly RepoDecision[];
}

export async function readSnapshot(root: string): Promise<Snapshot> {
  const rawConfig = await readConfigFile(root);
  const config = readConfig(rawConfig);
  const state = await readState(root, config);
  const history = (await readRows(within(root, FILES.history))) as readonly HistoryRow[];
  return {
    rawConfig,
    config,
    state,
    history: history.filter((row) => row.run_id === state.run_id),
    ledger: await readRows(within(root, FILES.ledger)),
    repoDecisions: (await readRows(within(root, FILES.repoDecisions))) as readonly RepoDecision[],
  };
}

export async function readEvents(root: string): Promise<readonly RunEvent[]> {
  return (await readRows(within(root, FILES.events))) as unknown as readonly RunEvent[];
}

async function readConfigFile(root: string): Promise<unknown> {
  const file = within(root, FILES.config);
  const bytes = await readFile(file).catch((cause) => {
    throw deliveryErrors.run_not_initialized({ message: `There is no ${FILES.config} in ${root}.`, cause });
  });
  return parseOrFail(file, bytes);
}

/** Keys that an older runner did not write get their value in a fresh run. */
async function readState(root: string, config: GovernedConfig): Promise<RunState> {
  const fresh = idleState(config.project.id, phasesOf(config)[0] ?? 'planning');
  const file = within(root, FILES.state);
  const bytes = await readFile(file).catch(ifMissing(undefined));
  if (bytes === undefined) return fresh;
  const state = parseOrFail(file, bytes);
  if (!isRecord(state)) throw deliveryErrors.state_corrupt({ message: `${file} is not a JSON object.` });
  return { ...fresh, ...state } as RunState;
}

function parseOrFail(file: string, bytes: Uint8Array): unknown {
  try {
    return parseDocument(bytes);
  } catch (cause) {
    throw deliveryErrors.state_corrupt({ message: `${file} is not readable JSON.`, cause });
  }
}
