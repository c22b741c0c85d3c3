import { BatonError } from '../../../kernel/error.ts';
import { isString, type LooseRecord } from '../../../kernel/json/loose.ts';
import { validateConfig } from '../config/rules/validate.ts';
import type { Comparison } from '../mirror/compare.ts';
import { readRows } from '../repository/files.ts';
import { type Attachment, type Finding, type Keep, readRecord } from '../repository/keep.ts';
import { FILES, within } from '../repository/paths.ts';
import { changesOutside, readFindings } from '../repository/reconcile.ts';
import type { RunRepository } from '../repository/repository.ts';
import { readEvents, readSnapshot, type Snapshot } from '../repository/snapshot.ts';
import { markOf } from '../repository/transaction.ts';
import { requireSealed } from '../turns/bundle.ts';
import { attachmentOf, UNATTACHED } from './attachment.ts';
import { checkGit } from './check-git.ts';
import { eventFaults, orderingFaults } from './rules/events.ts';

export interface VerifyReport {
  readonly ok: boolean;
  readonly checks: readonly {
    readonly check: string;
    readonly faults: readonly string[];
    /** What somebody did, or tried, and what is worth knowing without being wrong. */
    readonly notes?: readonly string[];
  }[];
}

/** Asks the server that an attached repository belongs to how the files differ from its record. */
export type CompareWithRecord = (repositoryId: string) => Promise<Comparison>;

/** Checks that the governed files agree with each other, with the rules and, where `compare` is given, with the record. */
export async function verifyRun(
  repository: RunRepository,
  compare?: CompareWithRecord,
): Promise<VerifyReport> {
  // A change that is under way, or that a crash interrupted, is nobody's fault.
  return repository.settled(() => checkRun(repository, compare));
}

async function checkRun(
  repository: RunRepository,
  compare: CompareWithRecord | undefined,
): Promise<VerifyReport> {
  const { keep, root } = repository;
  // The files as they are, whatever Baton made of them last.
  const snapshot = await readSnapshot(root);
  const record = await readRecord(keep);
  const outside = record.pinned ? await changesOutside(root, keep, record) : [];
  const history = await readRows(within(repository.root, FILES.history));
  const events = await readEvents(repository.root);
  const checks = [
    {
      check: 'config',
      faults: validateConfig(snapshot.rawConfig).map((fault) => `${fault.field}: ${fault.message}`),
    },
    { check: 'history', faults: historyFaults(history, snapshot) },
    { check: 'ledger', faults: ledgerFaults(snapshot.ledger) },
    { check: 'events', faults: events.flatMap((event) => eventFaults(event)) },
    { check: 'event order', faults: events.length === 0 ? [] : orderingFaults(events) },
    { check: 'journal', faults: await journalFaults(keep) },
    { check: 'bundles', faults: await bundleFaults(repository, snapshot) },
    {
      check: 'pinned files',
      faults: outside.map((path) => `${path} is not as Baton last wrote it.`),
      notes: (await readFindings(keep)).map(findingText),
    },
    await checkGit(repository, snapshot, record.commits),
    ...(await recordChecks(await attachmentOf(repository), compare)),
  ];
  return { ok: checks.every((check) => check.faults.length === 0), checks };
}

/** Whether a server stands behind the decisions of the run, and what it has on record of it. */
async function recordChecks(
  attached: Attachment | null,
  compare: CompareWithRecord | undefined,
): Promise<VerifyReport['checks']> {
  const gates = { check: 'gates', faults: [], notes: attached === null ? [UNATTACHED] : [] };
  if (attached === null || compare === undefined) return [gates];
  const check = 'record';
  try {
    const { recorded, by_id_only: byIdOnly, faults } = await compare(attached.repository_id);
    const notes =
      byIdOnly === 0 ? [] : [`${byIdOnly} of ${recorded} events were recorded without their content.`];
    return [gates, { check, faults, notes }];
  } catch (error) {
    if (!(error instanceof BatonError)) throw error;
    // A server that does not know the repository is a contradiction; one that cannot be asked is only a gap.
    return error.code === 'repository_not_found'
      ? [
          gates,
          {
            check,
            faults: [
              `This server knows no repository ${attached.repository_id}, as which the run is attached (is it another server's? BATON_DATA or BATON_URL name one).`,
            ],
          },
        ]
      : [gates, { check, faults: [], notes: [`Not compared with the server's record: ${error.message}`] }];
  }
}

async function journalFaults({ journal }: Keep): Promise<string[]> {
  const { unfinished } = await markOf(journal);
  return unfinished ? ['A change was interrupted and cannot be finished now; baton run step says why.'] : [];
}

function findingText({ at, kind, paths, turns, by, saved }: Finding): string {
  const what = paths.join(', ');
  if (kind === 'restored') {
    const during = turns.length === 0 ? '' : ` while ${turns.join(', ')} was at work`;
    return `${at}: somebody changed ${what}${during}. It was put back${saved === undefined ? '' : `; what was there is in ${saved}`}.`;
  }
  if (kind === 'refused')
    return `${at}: ${what} was changed while ${turns.join(', ')} was at work. The turn was not accepted like that.`;
  if (kind === 'commits') return `${at}: ${by ?? 'a person'} vouched for ${what}.`;
  return `${at}: ${what} was changed outside Baton and taken over (${by ?? 'unknown'}).`;
}

function historyFaults(history: readonly LooseRecord[], { state }: Snapshot): string[] {
  const faults: string[] = [];
  const seen = new Set<unknown>();
  for (const row of history) {
    if (seen.has(row.turn_id)) faults.push(`Turn ${String(row.turn_id)} is accepted twice.`);
    seen.add(row.turn_id);
  }
  const own = history.filter((row) => row.run_id === state.run_id);
  own.forEach((row, index) => {
    if (row.accepted_sequence !== index + 1)
      faults.push(
        `Turn ${String(row.turn_id)} has sequence ${String(row.accepted_sequence)}, expected ${index + 1}.`,
      );
  });
  if (state.run_id !== null && state.accepted_sequence !== own.length) {
    faults.push(`The state counts ${state.accepted_sequence} accepted turns, history has ${own.length}.`);
  }
  for (const id of Object.keys(state.active_turns)) {
    if (seen.has(id)) faults.push(`Turn ${id} is accepted and yet active.`);
  }
  return faults;
}

function ledgerFaults(ledger: readonly LooseRecord[]): string[] {
  const seen = new Set<string>();
  return ledger.flatMap((row) => {
    if (!isString(row.id)) return [];
    const key = `${String(row.run_id)}/${row.id}`;
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [`${row.id} is decided twice in run ${String(row.run_id)}.`];
  });
}

async function bundleFaults(repository: RunRepository, { state }: Snapshot): Promise<string[]> {
  const faults: string[] = [];
  for (const turn of Object.values(state.active_turns)) {
    if (turn.status !== 'dispatched' && turn.status !== 'running') continue;
    await requireSealed(repository, turn.turn_id).catch((error: unknown) => {
      if (!(error instanceof BatonError)) throw error;
      faults.push(`${turn.turn_id}: ${error.message}`);
    });
  }
  return faults;
}
