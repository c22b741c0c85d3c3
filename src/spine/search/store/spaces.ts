import type { Reader, UnitOfWork } from '../../storage/database.ts';
import { engineOf } from './engine.ts';

/** One collection of one project, and what is counted over it. */
export interface Space {
  readonly space: number;
  readonly projectId: string;
  readonly collection: string;
  readonly documents: number;
  readonly passages: number;
  /** Lengths of all passages in terms, by weight (in weight units) and plain. */
  readonly weightedLength: number;
  readonly plainLength: number;
  /** The greatest number ever given to a document of this space. */
  readonly lastDoc: number;
}

export interface SpaceChange {
  readonly documents: number;
  readonly passages: number;
  readonly weightedLength: number;
  readonly plainLength: number;
  readonly lastDoc: number;
}

const COLUMNS = `space, project_id as "projectId", collection, documents, passages,
  weighted_length as "weightedLength", plain_length as "plainLength", last_doc as "lastDoc"`;

/** Holds the space's row until the unit ends: changes of one space follow each other, so its numbers rise with commits. */
export async function lockSpace(
  uow: UnitOfWork,
  projectId: string,
  collection: string,
): Promise<Space | undefined> {
  return uow.get<Space>(
    `update search_spaces set documents = documents where project_id = ? and collection = ? returning ${COLUMNS}`,
    [projectId, collection],
  );
}

export async function lockOrCreateSpace(
  uow: UnitOfWork,
  projectId: string,
  collection: string,
): Promise<Space> {
  const known = await lockSpace(uow, projectId, collection);
  if (known !== undefined) return known;
  await uow.run(
    'insert into search_spaces (project_id, collection) values (?, ?) on conflict (project_id, collection) do nothing',
    [projectId, collection],
  );
  return (await lockSpace(uow, projectId, collection)) as Space;
}

export async function findSpaces(
  reader: Reader,
  projectIds: readonly string[],
  collections: readonly string[] | undefined,
): Promise<Space[]> {
  const { amongTexts } = engineOf(reader);
  const inCollections = collections === undefined ? '' : `and collection ${amongTexts}`;
  const values = [JSON.stringify(projectIds)];
  if (collections !== undefined) values.push(JSON.stringify(collections));
  return reader.all<Space>(
    `select ${COLUMNS} from search_spaces
     where project_id ${amongTexts} ${inCollections} and documents > 0 order by space`,
    values,
  );
}

export function allSpaces(reader: Reader): Promise<Space[]> {
  return reader.all<Space>(`select ${COLUMNS} from search_spaces order by space`);
}

export async function changeSpace(uow: UnitOfWork, space: number, change: SpaceChange): Promise<void> {
  await uow.send(
    `update search_spaces set documents = documents + ?, passages = passages + ?,
       weighted_length = weighted_length + ?, plain_length = plain_length + ?, last_doc = ?
     where space = ?`,
    [change.documents, change.passages, change.weightedLength, change.plainLength, change.lastDoc, space],
  );
}

/** Waits for, and keeps out, every other change of the index until the unit ends. */
export async function lockAllSpaces(uow: UnitOfWork): Promise<void> {
  await uow.run('update search_spaces set documents = documents');
}

/** Spaces keep their numbers; nothing else is left. */
export async function clearIndex(uow: UnitOfWork): Promise<void> {
  await engineOf(uow).clear(uow);
  await uow.run('delete from search_vector_cursors');
  await uow.run('delete from search_codes');
  await uow.run('delete from search_bodies');
  await uow.run('delete from search_documents');
  await uow.run('delete from search_terms');
  await uow.run(
    'update search_spaces set documents = 0, passages = 0, weighted_length = 0, plain_length = 0, last_doc = 0',
  );
}
