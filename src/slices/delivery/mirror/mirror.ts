import { BatonError } from '../../../kernel/error.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import type { DeliveryDeps } from '../ports.ts';
import type { HistoryRow, RepoDecision, RunEvent } from '../records.ts';
import { readRows, sizeOf } from '../repository/files.ts';
import { FILES, within } from '../repository/paths.ts';
import { openRepository } from '../repository/repository.ts';
import { readEvents } from '../repository/snapshot.ts';
import { acceptedBy, byTurn, recordedDigest } from './recorded.ts';
import {
  answeredBy,
  authorOf,
  factChanges,
  journalEntry,
  packageOf,
  questionOf,
  subjectId,
  withoutWords,
} from './rules.ts';
import {
  type AttachedRepository,
  claimEvent,
  moveCursor,
  selectRepositories,
  selectRepository,
} from './store.ts';

export interface Mirror {
  /** Records what a repository's runs have done since the last call. Returns how many events were new. */
  catchUp(repositoryId: string): Promise<number>;
  /** Every attached repository; one that cannot be read does not hold up the others. */
  catchUpAll(onError?: (repositoryId: string, error: unknown) => void): Promise<number>;
}

/**
 * Follows the files of attached repositories, which are the truth. Each event is one unit of work, claimed by its id, so
 * that a crash between two events, or two servers on one repository, record nothing twice and miss nothing.
 */
export function createMirror(deps: DeliveryDeps): Mirror {
  const { db, hasher, ports } = deps;
  /** A log of the same size has nothing new: checking that saves reading it every two seconds. */
  const seenSizes = new Map<string, number>();

  async function recordEvent(
    uow: UnitOfWork,
    repository: AttachedRepository,
    event: RunEvent,
    history: ReadonlyMap<string, HistoryRow>,
    decisions: readonly RepoDecision[],
  ): Promise<void> {
    const actor = authorOf(event);
    await ports.record(uow, { projectId: repository.projectId, actor, ...journalEntry(repository, event) });
    for (const kind of answeredBy(event)) {
      await ports.inbox.supersedeSubject(uow, {
        projectId: repository.projectId,
        kind,
        subject: { type: 'run', id: subjectId(repository, event.run_id ?? '') },
        by: actor,
        reason: 'decided_on_the_files',
      });
    }
    const question = questionOf(repository, event, hasher);
    if (question !== undefined) await ports.inbox.openItem(uow, question);
    const row = acceptedBy(event, history);
    if (row === undefined) return;
    const by = { projectId: repository.projectId, actor };
    await unlessArchived(
      ports.deposit(uow, by, packageOf(repository, row)).catch((error) => {
        if (!isRefusal(error, 'secret_found')) throw error;
        return ports.deposit(uow, by, withoutWords(repository, row));
      }),
    );
    for (const change of factChanges(repository, event, decisions)) {
      await unlessArchived(
        'retract' in change
          ? ports.retractFact(uow, by, change.retract)
          : ports.assertFact(uow, by, change.assert),
      );
    }
  }

  async function catchUp(repositoryId: string): Promise<number> {
    const repository = await db.read((reader) => selectRepository(reader, repositoryId));
    if (repository === undefined) return 0;
    // What an agent writes into the files of a run, past Baton, never becomes part of the journal.
    const source = await openRepository({ ...deps, root: repository.root }).records();
    const events = await readEvents(source);
    const fresh = events.slice(repository.eventsSeen);
    if (fresh.length === 0) return 0;
    const rows = (await readRows(within(source, FILES.history))) as readonly HistoryRow[];
    const history = byTurn(rows);
    const decisions = (await readRows(within(source, FILES.repoDecisions))) as readonly RepoDecision[];
    let recorded = 0;
    for (const [index, event] of fresh.entries()) {
      const isNew = await db.write(async (uow) => {
        await uow.lock(`delivery:${repositoryId}`);
        const digest = recordedDigest(event, acceptedBy(event, history), hasher);
        const claimed = await claimEvent(uow, repositoryId, { eventId: event.event_id, digest });
        if (claimed) await recordEvent(uow, repository, event, history, decisions);
        await moveCursor(uow, repositoryId, repository.eventsSeen + index + 1);
        return claimed;
      });
      if (isNew) recorded += 1;
    }
    return recorded;
  }

  return {
    catchUp,
    async catchUpAll(onError = () => {}) {
      let recorded = 0;
      const repositories = await db.read((reader) => selectRepositories(reader, 'all'));
      for (const { repositoryId, root } of repositories) {
        const size = await sizeOf(within(root, FILES.events));
        if (seenSizes.get(repositoryId) === size) continue;
        try {
          recorded += await catchUp(repositoryId);
          seenSizes.set(repositoryId, size);
        } catch (error) {
          onError(repositoryId, error);
        }
      }
      return recorded;
    },
  };
}

/** The journal goes on for an archived project; packages and facts do not. */
async function unlessArchived(work: Promise<void>): Promise<void> {
  await work.catch((error) => {
    if (!isRefusal(error, 'project_archived')) throw error;
  });
}

function isRefusal(error: unknown, code: string): boolean {
  return error instanceof BatonError && error.code === code;
}
