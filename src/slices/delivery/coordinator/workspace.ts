import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toHex } from '../../../kernel/hex.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import { asRecord, type LooseRecord } from '../../../kernel/json/loose.ts';
import { unknownKeys } from '../config/rules/unknown-keys.ts';
import { deliveryErrors } from '../errors.ts';
import { parseDocument } from '../parse.ts';
import { underLock } from '../repository/accept-lock.ts';
import { readRows, rowsText } from '../repository/files.ts';
import { keepOf } from '../repository/keep.ts';
import { within } from '../repository/paths.ts';
import {
  documentText,
  openRepository,
  type RepositoryOptions,
  type RunRepository,
} from '../repository/repository.ts';
import { commit, replayJournal } from '../repository/transaction.ts';
import type { RunState } from '../run-state.ts';
import { MULTI_KEYS } from './config-keys.ts';
import { faultText, readCoordinatorConfig, validateCoordinatorConfig } from './rules/config.ts';
import type { Barriers, CoordinatorConfig, CoordinatorState } from './state.ts';

/** Where a coordinator keeps its files, below the workspace that holds the repositories. */
export const MULTI = {
  config: 'agentxchain-multi.json',
  state: '.agentxchain/multirepo/state.json',
  history: '.agentxchain/multirepo/history.jsonl',
  ledger: '.agentxchain/multirepo/decision-ledger.jsonl',
  barriers: '.agentxchain/multirepo/barriers.json',
  barrierLedger: '.agentxchain/multirepo/barrier-ledger.jsonl',
  context: '.agentxchain/multirepo/context',
  hookAudit: '.agentxchain/multirepo/hook-audit.jsonl',
  recovery: '.agentxchain/multirepo/RECOVERY_REPORT.md',
  lock: '.agentxchain/locks/coordinator.lock',
} as const;

/** The coordinator's own files and the state of each repository, at one moment. */
export interface CoordinatorSnapshot {
  readonly rawConfig: LooseRecord;
  readonly config: CoordinatorConfig;
  /** Null before `multi start`. */
  readonly state: CoordinatorState | null;
  readonly barriers: Barriers;
  readonly history: readonly LooseRecord[];
  readonly repos: Readonly<Record<string, RunState | undefined>>;
}

export interface CoordinatorWrites {
  readonly kind: string;
  readonly state?: CoordinatorState;
  readonly barriers?: Barriers;
  readonly history?: readonly LooseRecord[];
  readonly ledger?: readonly LooseRecord[];
  readonly barrierLedger?: readonly LooseRecord[];
  readonly hookAudit?: readonly object[];
  readonly files?: readonly { readonly file: string; readonly text: string }[];
  readonly removes?: readonly string[];
}

export interface LockedWorkspace {
  readonly snapshot: CoordinatorSnapshot;
  write(writes: CoordinatorWrites): Promise<void>;
}

export interface Workspace extends RepositoryOptions {
  repository(repoId: string): Promise<RunRepository>;
  snapshot(): Promise<CoordinatorSnapshot>;
  exclusively<T>(work: (locked: LockedWorkspace) => Promise<T>): Promise<T>;
  newHex(bytes: number): string;
}

/** Opens the directory of an `agentxchain-multi.json`. The coordinator never writes accepted work into a repository. */
export function openWorkspace(options: RepositoryOptions): Workspace {
  const { root } = options;
  const newHex = (bytes: number) => toHex(options.random.bytes(bytes));
  const { journal, copies } = keepOf(options.keepIn, root, options.hasher);
  // Nothing of a coordinator is compared; its journal is out of reach all the same.
  const places = { root, journal, copies, governs: () => false };
  const open = (path: string) => openRepository({ ...options, root: join(root, path) });

  async function snapshot(): Promise<CoordinatorSnapshot> {
    const rawConfig = await readConfig(root);
    const config = readCoordinatorConfig(rawConfig);
    const repos: Record<string, RunState | undefined> = {};
    for (const [id, repo] of Object.entries(config.repos)) {
      repos[id] = await open(repo.path)
        .snapshot()
        .then((read) => read.state)
        .catch(() => undefined);
    }
    return {
      rawConfig,
      config,
      state: (await readJsonFile(within(root, MULTI.state))) as CoordinatorState | null,
      barriers: ((await readJsonFile(within(root, MULTI.barriers))) ?? {}) as Barriers,
      history: await readRows(within(root, MULTI.history)),
      repos,
    };
  }

  async function write(writes: CoordinatorWrites): Promise<void> {
    const at = formatMillis(options.clock.now());
    await commit(
      places,
      `txn_${newHex(8)}`,
      at,
      { kind: writes.kind, ...layOut(writes) },
      options.faults ?? (() => {}),
    );
  }

  return {
    ...options,
    newHex,
    snapshot,
    async repository(repoId) {
      const repo = (await snapshot()).config.repos[repoId];
      if (repo === undefined)
        throw deliveryErrors.run_not_initialized({ message: `There is no repository "${repoId}".` });
      return open(repo.path);
    },
    async exclusively(work) {
      return underLock(
        within(root, MULTI.lock),
        { token: newHex(8), waitMs: options.lockWaitMs },
        async () => {
          await replayJournal(places);
          return work({ snapshot: await snapshot(), write });
        },
      );
    },
  };
}

function layOut(writes: CoordinatorWrites) {
  const replaces = [...(writes.files ?? [])];
  if (writes.barriers !== undefined)
    replaces.push({ file: MULTI.barriers, text: documentText(writes.barriers) });
  if (writes.state !== undefined) replaces.push({ file: MULTI.state, text: documentText(writes.state) });
  return {
    appends: [
      { file: MULTI.history, text: rowsText(writes.history ?? []) },
      { file: MULTI.ledger, text: rowsText(writes.ledger ?? []) },
      { file: MULTI.barrierLedger, text: rowsText(writes.barrierLedger ?? []) },
      { file: MULTI.hookAudit, text: rowsText(writes.hookAudit ?? []) },
    ],
    replaces,
    removes: writes.removes ?? [],
  };
}

async function readConfig(root: string): Promise<LooseRecord> {
  const file = within(root, MULTI.config);
  const bytes = await readFile(file).catch((cause) => {
    throw deliveryErrors.run_not_initialized({
      message: `There is no ${MULTI.config} in ${root}.`,
      next: `Write ${MULTI.config} with its repos and workstreams.`,
      cause,
    });
  });
  const raw = asRecord(parseDocument(bytes));
  const faults = [
    ...validateCoordinatorConfig(raw),
    ...unknownKeys(raw, MULTI_KEYS).refused.map(({ type, field, message }) => ({
      code: type,
      field,
      message,
    })),
  ];
  if (faults.length === 0) return raw;
  throw deliveryErrors.refused({
    message: faults.map(faultText).join('; '),
    next: `Correct ${MULTI.config}.`,
    details: { rule: 'coordinator.config', field: faults[0]?.field ?? null, faults },
  });
}

async function readJsonFile(file: string): Promise<unknown> {
  const bytes = await readFile(file).catch(() => undefined);
  return bytes === undefined ? null : parseDocument(bytes);
}
