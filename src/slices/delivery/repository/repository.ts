import { readFile, rm } from 'node:fs/promises';
import type { Clock, Random } from '../../../kernel/clock.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { toHex } from '../../../kernel/hex.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import { asRecord } from '../../../kernel/json/loose.ts';
import { both } from '../both.ts';
import { tryParse } from '../parse.ts';
import type { EventDraft, HistoryRow, LedgerRow, RepoDecision, RunEvent } from '../records.ts';
import type { RunState } from '../run-state.ts';
import { nextCommand } from '../runs/rules/next-command.ts';
import { takeLock, underLock } from './accept-lock.ts';
import { lastRow, rowsText } from './files.ts';
import { followMerge } from './follow-merge.ts';
import { isGoverned } from './governed.ts';
import { type Keep, keepOf, readRecord, trustedRoot } from './keep.ts';
import { dropLease } from './leases.ts';
import { FILES, within } from './paths.ts';
import { noteFinding, reconcile } from './reconcile.ts';
import { readSnapshot, type Snapshot } from './snapshot.ts';
import {
  commit,
  type Faults,
  type Merge,
  markOf,
  type Places,
  replayJournal,
  type Transaction,
} from './transaction.ts';

export interface RepositoryOptions {
  readonly root: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Hasher;
  /** The folder where Baton keeps what it knows of repositories, out of their reach: `runs` in the data directory. */
  readonly keepIn: string;
  readonly faults?: Faults;
  readonly lockWaitMs?: number;
}

/** What one change writes: rows to add, a state to replace, files to remove. */
export interface RunWrites {
  readonly kind: string;
  readonly state?: RunState;
  readonly history?: readonly HistoryRow[];
  readonly ledger?: readonly LedgerRow[];
  readonly repoDecisions?: readonly RepoDecision[];
  readonly events?: readonly EventDraft[];
  readonly runHistory?: readonly object[];
  readonly hookAudit?: readonly object[];
  readonly hookAnnotations?: readonly object[];
  readonly talk?: string;
  readonly files?: readonly { readonly file: string; readonly text: string }[];
  readonly removes?: readonly string[];
  /** Moves the branch with everything else, or not at all. */
  readonly merge?: Merge | undefined;
  /** The turn that comes to an end: its lease goes, and its tree. */
  readonly ends?: string;
}

/** A repository while its lock is held, as it was found then. */
export interface LockedRepository extends Omit<RepositoryOptions, 'faults' | 'lockWaitMs'> {
  readonly snapshot: Snapshot;
  readonly keep: Keep;
  newId(prefix: string): string;
  /** Durable once it resolves. Returns the events as they were written. */
  write(writes: RunWrites): Promise<readonly RunEvent[]>;
  /** Reads again, after programs of others have run. */
  reread(): Promise<Snapshot>;
}

export interface RunRepository extends Omit<RepositoryOptions, 'faults' | 'lockWaitMs'> {
  readonly keep: Keep;
  /** As Baton last wrote it, whatever the files say now. */
  snapshot(): Promise<Snapshot>;
  /** A folder with the run's files as Baton last wrote them, for whoever reads more than the snapshot. */
  records(): Promise<string>;
  /**
   * What was read while no change was under way, and after what a crash interrupted was finished, if it can be. It may be
   * read several times, and waits for the lock only where that is needed.
   */
  settled<T>(read: () => Promise<T>): Promise<T>;
  /** Under the lock, without a look at what others have changed: for whoever judges just that. */
  asTheyAre<T>(work: () => Promise<T>): Promise<T>;
  /** Runs one caller at a time per repository, across processes, after finishing what a crash interrupted. */
  exclusively<T>(work: (locked: LockedRepository) => Promise<T>): Promise<T>;
}

const ID_BYTES = 8;
/** How often something is read again without the lock. */
const LOOKS = 5;
/** For a lock that should not be there. */
const PATIENCE_MS = 2000;

export function openRepository(options: RepositoryOptions): RunRepository {
  const { root, clock, random, hasher, keepIn } = options;
  const keep = keepOf(keepIn, root, hasher);
  const own = { root, clock, random, hasher, keepIn, keep };
  const newId = (prefix: string) => `${prefix}_${toHex(random.bytes(ID_BYTES))}`;
  const faults = options.faults ?? (() => {});

  async function write(writes: RunWrites): Promise<readonly RunEvent[]> {
    const at = formatMillis(clock.now());
    const drafts = writes.events ?? [];
    const eventTime = drafts.length === 0 ? at : await notBefore(at, within(keep.copies, FILES.events));
    const events = drafts.map((draft) => stamp(draft, newId('evt'), eventTime));
    const { kind, merge, ends } = writes;
    const laidOut = { kind, ...layOut(writes, events, at), merge, ends };
    await commit(await places(), newId('txn'), at, laidOut, faults, inGitAndKeep);
    return events;
  }

  async function places(): Promise<Places> {
    const { prompts } = await readRecord(keep);
    return { root, copies: keep.copies, journal: keep.journal, governs: (path) => isGoverned(path, prompts) };
  }

  // The turn's work is in the object store, and the journal on the disk: its tree is not needed any more.
  const inGitAndKeep = async ({ merge, ends }: Pick<Transaction, 'merge' | 'ends'>) => {
    const merged = merge === undefined ? Promise.resolve() : followMerge(root, keep, merge);
    await both(merged, ends === undefined ? Promise.resolve() : dropLease(keep, ends));
  };

  async function finish(): Promise<void> {
    await replayJournal(await places(), inGitAndKeep);
  }

  async function prepared(): Promise<Snapshot> {
    await finish();
    await reconcile(root, keep, clock.now());
    return readSnapshot(keep.copies);
  }

  async function underLocks<T>(work: () => Promise<T>): Promise<T> {
    const token = newId('lock');
    const waitMs = options.lockWaitMs;
    // The first is Baton's own; the second is where other runners look for one.
    return underLock(keep.lock, { token, waitMs }, async () => {
      const release = await lockForOthers(token, waitMs);
      try {
        return await work();
      } finally {
        await release();
      }
    });
  }

  async function settled<T>(read: () => Promise<T>): Promise<T> {
    for (let look = 0; look < LOOKS; look += 1) {
      const before = await markOf(keep.journal);
      if (before.unfinished) {
        // What cannot be finished now is named by whatever changes something next; until then nothing of it counts.
        if (!(await succeeds(underLocks(finish)))) return read();
        continue;
      }
      const found = await read();
      if ((await markOf(keep.journal)).stamp === before.stamp) return found;
    }
    return finishedFirst(read);
  }

  function finishedFirst<T>(work: () => Promise<T>): Promise<T> {
    return underLocks(async () => {
      await finish();
      return work();
    });
  }

  async function snapshot(): Promise<Snapshot> {
    const { pinned } = await readRecord(keep);
    if (!pinned) return readSnapshot(root);
    const trusted = await settled(() => readSnapshot(keep.copies));
    if (!trusted.config.interchange) return trusted;
    // Another runner may have gone on meanwhile.
    return underLocks(prepared).catch(() => trusted);
  }

  /** Where no other runner works, nobody but a turn can hold its lock, and it holds nobody up. */
  async function lockForOthers(token: string, waitMs: number | undefined): Promise<() => Promise<void>> {
    const file = within(root, FILES.lock);
    if (await isShared()) return takeLock(file, { token, waitMs });
    return takeLock(file, { token, waitMs: Math.min(waitMs ?? PATIENCE_MS, PATIENCE_MS) }).catch(async () => {
      const at = formatMillis(clock.now());
      await noteFinding(keep, { at, kind: 'restored', paths: [FILES.lock], turns: [] });
      await rm(file, { recursive: true, force: true }).catch(() => {});
      return async () => {};
    });
  }

  /** Also where Baton has seen nothing yet. */
  async function isShared(): Promise<boolean> {
    if (!(await readRecord(keep)).pinned) return true;
    const config = tryParse(await readFile(within(keep.copies, FILES.config)).catch(() => ''));
    return asRecord(config).interchange === true;
  }

  return {
    ...own,
    snapshot,
    async records() {
      await snapshot();
      return trustedRoot(root, keep);
    },
    settled,
    asTheyAre: finishedFirst,
    async exclusively(work) {
      return underLocks(async () => {
        const snapshot = await prepared();
        return work({ ...own, newId, write, reread: () => readSnapshot(keep.copies), snapshot });
      });
    },
  };
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

/** Clocks differ between machines and may be set back, but a log must stay in order. */
async function notBefore(at: string, log: string): Promise<string> {
  const last = (await lastRow(log))?.timestamp;
  return typeof last === 'string' && last > at ? last : at;
}

/** History comes before state, so that a reader who sees the new state finds its history. */
function layOut(writes: RunWrites, events: readonly RunEvent[], at: string) {
  const appends = [
    { file: FILES.history, text: rowsText(writes.history ?? []) },
    { file: FILES.ledger, text: rowsText(writes.ledger ?? []) },
    { file: FILES.repoDecisions, text: rowsText(writes.repoDecisions ?? []) },
    { file: FILES.hookAudit, text: rowsText(writes.hookAudit ?? []) },
    { file: FILES.hookAnnotations, text: rowsText(writes.hookAnnotations ?? []) },
    { file: FILES.talk, text: writes.talk === undefined ? '' : `\n${writes.talk}` },
    { file: FILES.events, text: rowsText(events) },
    { file: FILES.runHistory, text: rowsText(writes.runHistory ?? []) },
  ];
  const replaces = [...(writes.files ?? [])];
  if (writes.state !== undefined) {
    replaces.push({ file: FILES.state, text: documentText(writes.state) });
    replaces.push({ file: FILES.session, text: documentText(checkpoint(writes.state, at)) });
  }
  return { appends, replaces, removes: writes.removes ?? [] };
}

function stamp(draft: EventDraft, id: string, at: string): RunEvent {
  const { event_type, run_id, phase, status, turn, payload } = draft;
  return { event_id: id, event_type, timestamp: at, run_id, phase, status, turn, intent_id: null, payload };
}

/** A summary for whoever resumes the work; the state is what counts. */
function checkpoint(state: RunState, at: string) {
  return {
    run_id: state.run_id,
    status: state.status,
    phase: state.phase,
    last_completed_turn_id: state.last_completed_turn_id,
    active_turns: Object.keys(state.active_turns),
    blocked_on: state.blocked_on,
    next_command: nextCommand(state),
    checkpoint_at: at,
  };
}

export function documentText(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
