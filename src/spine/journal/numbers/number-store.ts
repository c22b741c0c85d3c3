import type { Reader, UnitOfWork } from '../../storage/database.ts';
import type { EventNumber } from '../events/event-store.ts';

/** Events that follow each other in every count: those of one row. */
interface Stretch {
  readonly projectId: string;
  readonly length: number;
}

/**
 * Gives the first event of each row its numbers: `leaf` counts all events of the store from 0, `project_seq` those of one project
 * from 1, both without gaps. The counters are rows of the unit, so that a unit that is rolled back takes its
 * numbers with it. For SQLite, where no other unit can number at the same time.
 */
export async function assignNumbers(uow: UnitOfWork, stretches: readonly Stretch[]): Promise<EventNumber[]> {
  const counts = new Map<string, number>();
  let total = 0;
  for (const { projectId, length } of stretches) {
    counts.set(projectId, (counts.get(projectId) ?? 0) + length);
    total += length;
  }

  const head = await uow.get<{ next_leaf: number }>(
    'update journal_head set next_leaf = next_leaf + ? where id = 1 returning next_leaf',
    [total],
  );
  const ofProject = new Map<string, number>();
  for (const [projectId, count] of counts) {
    const row = await uow.get<{ next_seq: number }>(
      `insert into journal_projects (project_id, next_seq, oldest_seq) values (?, 1 + ?, 1)
       on conflict (project_id) do update set next_seq = journal_projects.next_seq + excluded.next_seq - 1
       returning next_seq`,
      [projectId, count],
    );
    ofProject.set(projectId, (row?.next_seq ?? 0) - count);
  }
  return numberedFrom({ leaf: (head?.next_leaf ?? 0) - total, ofProject }, stretches);
}

/** The right to number the events of a commit, until it ends. */
export interface NumberClaim {
  readonly nextLeaf: number;
}

/**
 * On PostgreSQL, of several that commit at once, one may number its own events, and nobody waits for the right to: the
 * Sequencer numbers the rest. Undefined too while others' events wait for their numbers, some of which may come before
 * those of this commit on its chains. The unit holds all chains that it appends to, or asks for them before.
 */
export async function claimNumbers(uow: UnitOfWork): Promise<NumberClaim | undefined> {
  // The second sees what was committed before the first got the row.
  const [head, waiting] = await Promise.all([
    uow.get<{ next_leaf: number }>('select next_leaf from journal_head where id = 1 for update skip locked'),
    uow.get('select 1 as one from events where leaf is null limit 1'),
  ]);
  return head === undefined || waiting !== undefined ? undefined : { nextLeaf: head.next_leaf };
}

/** The same for whoever may wait for it, and numbers what others have left. */
export async function holdNumbers(uow: UnitOfWork): Promise<NumberClaim> {
  const head = await uow.get<{ next_leaf: number }>(
    'select next_leaf from journal_head where id = 1 for update',
  );
  return { nextLeaf: head?.next_leaf ?? 0 };
}

/** As `assignNumbers`; whoever has the claim is alone with the counters of all projects. */
export async function assignClaimed(
  uow: UnitOfWork,
  claim: NumberClaim,
  stretches: readonly Stretch[],
): Promise<EventNumber[]> {
  const projects = [...new Set(stretches.map(({ projectId }) => projectId))];
  const rows = await uow.all<{ project_id: string; next_seq: number }>(
    `select project_id, next_seq from journal_projects
     where project_id = any(array(select json_array_elements_text(cast(? as json))))`,
    [JSON.stringify(projects)],
  );
  const counts: Counts = {
    leaf: claim.nextLeaf,
    ofProject: new Map(rows.map(({ project_id, next_seq }) => [project_id, next_seq])),
  };
  const numbers = numberedFrom(counts, stretches);
  await uow.send('update journal_head set next_leaf = ? where id = 1', [counts.leaf]);
  const moved = [...counts.ofProject].map(([project_id, next_seq]) => ({ project_id, next_seq }));
  await uow.send(
    `insert into journal_projects (project_id, next_seq, oldest_seq)
     select project_id, next_seq, 1
     from json_to_recordset(cast(? as json)) as given (project_id text, next_seq bigint) order by project_id
     on conflict (project_id) do update set next_seq = excluded.next_seq`,
    [JSON.stringify(moved)],
  );
  return numbers;
}

/** The next numbers. */
interface Counts {
  leaf: number;
  readonly ofProject: Map<string, number>;
}

function numberedFrom(counts: Counts, stretches: readonly Stretch[]): EventNumber[] {
  return stretches.map(({ projectId, length }) => {
    const { leaf } = counts;
    const projectSeq = counts.ofProject.get(projectId) ?? 1;
    counts.leaf += length;
    counts.ofProject.set(projectId, projectSeq + length);
    return { leaf, projectSeq };
  });
}

export interface NumberBounds {
  /** The first number whose payload is kept. */
  readonly oldest: number;
  readonly last: number;
}

/** Of the project's numbers, or of the leaves of the whole store. */
export async function selectBounds(reader: Reader, projectId?: string): Promise<NumberBounds> {
  if (projectId === undefined) {
    const head = await reader.get<{ next_leaf: number; oldest_leaf: number }>(
      'select next_leaf, oldest_leaf from journal_head where id = 1',
    );
    return { oldest: head?.oldest_leaf ?? 0, last: (head?.next_leaf ?? 0) - 1 };
  }
  const row = await reader.get<{ next_seq: number; oldest_seq: number }>(
    'select next_seq, oldest_seq from journal_projects where project_id = ?',
    [projectId],
  );
  return { oldest: row?.oldest_seq ?? 1, last: (row?.next_seq ?? 1) - 1 };
}

/** How many leaves the tree has. */
export async function selectTreeSize(reader: Reader): Promise<number> {
  const head = await reader.get<{ next_leaf: number }>('select next_leaf from journal_head where id = 1');
  return head?.next_leaf ?? 0;
}

export interface JournalHead {
  readonly store_id: string | null;
  readonly next_leaf: number;
  readonly oldest_leaf: number;
  /** The size of the newest checkpoint; 0 while there is none. */
  readonly signed_size: number;
}

export function selectHead(reader: Reader): Promise<JournalHead | undefined> {
  return reader.get('select store_id, next_leaf, oldest_leaf, signed_size from journal_head where id = 1');
}

export interface ProjectCounter {
  readonly project_id: string;
  readonly next_seq: number;
  readonly oldest_seq: number;
}

export function selectProjectCounters(reader: Reader): Promise<ProjectCounter[]> {
  return reader.all('select project_id, next_seq, oldest_seq from journal_projects order by project_id');
}

/** Feeds begin after these numbers from now on. */
export async function moveOldest(
  uow: UnitOfWork,
  projectId: string,
  dropped: { readonly leaf: number; readonly projectSeq: number },
): Promise<void> {
  const { leaf, projectSeq } = dropped;
  await uow.run('update journal_head set oldest_leaf = ? where id = 1 and oldest_leaf <= ?', [
    leaf + 1,
    leaf,
  ]);
  await uow.run('update journal_projects set oldest_seq = ? where project_id = ? and oldest_seq <= ?', [
    projectSeq + 1,
    projectId,
    projectSeq,
  ]);
}

/** The store's own id; `fresh` becomes it if the store has none. */
export async function selectOrSetStoreId(uow: UnitOfWork, fresh: string): Promise<string> {
  await uow.run('update journal_head set store_id = ? where id = 1 and store_id is null', [fresh]);
  const head = await uow.get<{ store_id: string }>('select store_id from journal_head where id = 1');
  return head?.store_id ?? fresh;
}
