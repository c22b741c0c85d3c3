import type { Reader, UnitOfWork } from '../../storage/database.ts';
import { insertion } from '../../storage/insertion.ts';
import { rowLock } from '../../storage/sql-text.ts';
import { engineOf } from './engine.ts';
import { textKey } from './group-by.ts';

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

export interface SpaceName {
  readonly projectId: string;
  readonly collection: string;
}

/**
 * Holds the rows of these spaces until the unit ends: changes of one space follow each other, so its numbers rise with
 * commits. All are asked for at once, in the order of their names, so that units do not wait for each other in a circle;
 * those between, of another collection of a project, are held as well.
 */
export async function lockSpaces(uow: UnitOfWork, names: readonly SpaceName[]): Promise<Map<string, Space>> {
  const { amongTexts } = engineOf(uow);
  const rows = await uow.all<Space>(
    `select ${COLUMNS} from search_spaces where project_id ${amongTexts} and collection ${amongTexts}
     order by project_id, collection${rowLock(uow.engine)}`,
    [textOf(names, ({ projectId }) => projectId), textOf(names, ({ collection }) => collection)],
  );
  const bySpace = new Map(rows.map((space) => [spaceKey(space), space]));
  return new Map(
    names.flatMap((name) => {
      const space = bySpace.get(spaceKey(name));
      return space === undefined ? [] : [[spaceKey(name), space]];
    }),
  );
}

export const spaceKey = ({ projectId, collection }: SpaceName): string => textKey(projectId, collection);

const textOf = (names: readonly SpaceName[], part: (name: SpaceName) => string) =>
  JSON.stringify([...new Set(names.map(part))]);

export async function lockSpace(
  uow: UnitOfWork,
  projectId: string,
  collection: string,
): Promise<Space | undefined> {
  return (await lockSpaces(uow, [{ projectId, collection }])).values().next().value;
}

const newSpaces = insertion({
  into: 'search_spaces',
  columns: ['project_id', 'collection'],
  unless: 'on conflict (project_id, collection) do nothing',
});

/** The same; those of `needed` that are not there are made. */
export async function lockOrCreateSpaces(
  uow: UnitOfWork,
  names: readonly SpaceName[],
  needed: readonly SpaceName[],
): Promise<Map<string, Space>> {
  const known = await lockSpaces(uow, names);
  const missing = needed.filter((name) => !known.has(spaceKey(name)));
  if (missing.length === 0) return known;
  const inOrder = missing.sort((a, b) => (spaceKey(a) < spaceKey(b) ? -1 : 1));
  await newSpaces.run(
    uow,
    inOrder.map(({ projectId, collection }) => [projectId, collection]),
  );
  return lockSpaces(uow, names);
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

/** PostgreSQL is told of all at once: each statement costs it more than the row that it changes. */
export async function changeSpaces(
  uow: UnitOfWork,
  changes: readonly (SpaceChange & { readonly space: number })[],
): Promise<void> {
  if (uow.engine === 'postgres') {
    await uow.send(
      `update search_spaces as s set documents = s.documents + given.documents, passages = s.passages + given.passages,
         weighted_length = s.weighted_length + given."weightedLength",
         plain_length = s.plain_length + given."plainLength", last_doc = given."lastDoc"
       from json_to_recordset(cast(? as json)) as given (space bigint, documents bigint, passages bigint,
         "weightedLength" bigint, "plainLength" bigint, "lastDoc" bigint)
       where s.space = given.space`,
      [JSON.stringify(changes)],
    );
    return;
  }
  for (const change of changes) {
    await uow.send(
      `update search_spaces set documents = documents + ?, passages = passages + ?,
         weighted_length = weighted_length + ?, plain_length = plain_length + ?, last_doc = ?
       where space = ?`,
      [
        change.documents,
        change.passages,
        change.weightedLength,
        change.plainLength,
        change.lastDoc,
        change.space,
      ],
    );
  }
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
