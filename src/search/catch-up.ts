import type { Database, Reader, UnitOfWork } from '../storage/database.ts';
import { readBody } from './store/body.ts';
import { engineOf } from './store/engine.ts';
import { allSpaces, lockSpace, type Space } from './store/spaces.ts';
import { writeVectors } from './store/write-vectors.ts';
import type { Embedder } from './vectors/embedder.ts';

export interface CatchUpProgress {
  readonly embedded: number;
  /** Whether there may be more to do at once. */
  readonly left: boolean;
}

/**
 * One step behind the documents: reads the next ones without vectors of this embedder, embeds them outside of any
 * transaction, writes the vectors and moves the space's cursor with them. When all spaces are done, what other
 * embedders left behind is dropped. Safe to stop anywhere and to run twice at the same time.
 */
export async function catchUp(db: Database, embedder: Embedder, batch = 64): Promise<CatchUpProgress> {
  const work = await db.read((reader) => nextWork(reader, embedder.id, batch));
  if (work === undefined) return { embedded: 0, left: (await dropOthers(db, embedder.id, batch)) > 0 };
  const texts = work.documents.flatMap(({ passages }) => passages);
  const vectors = texts.length > 0 ? await embedder.embed(texts) : [];
  await db.write(async (uow) => {
    await lockSpace(uow, work.space.projectId, work.space.collection);
    const alive = await stillThere(uow, work.documents);
    let at = 0;
    for (const { doc, passages } of work.documents) {
      const own = vectors.slice(at, at + passages.length);
      at += passages.length;
      if (alive.has(doc) && own.length > 0) await writeVectors(uow, work.space.space, doc, embedder.id, own);
    }
    await moveCursor(uow, work.space.space, embedder.id, work.upTo);
  });
  return { embedded: work.documents.length, left: true };
}

interface Work {
  readonly space: Space;
  readonly documents: readonly { readonly doc: number; readonly passages: readonly string[] }[];
  readonly upTo: number;
}

async function nextWork(reader: Reader, embedder: string, batch: number): Promise<Work | undefined> {
  const cursors = await reader.all<{ space: number; doc: number }>(
    'select space, doc from search_vector_cursors where embedder = ?',
    [embedder],
  );
  const cursorOf = new Map(cursors.map(({ space, doc }) => [space, doc]));
  for (const space of await allSpaces(reader)) {
    const cursor = cursorOf.get(space.space) ?? 0;
    if (cursor >= space.lastDoc) continue;
    const rows = await reader.all<{ doc: number; body: string }>(
      `select d.doc, d.body from search_documents d
       left join search_vectors v on v.doc = d.doc and v.embedder = ?
       where d.space = ? and d.doc > ? and v.doc is null order by d.doc limit ?`,
      [embedder, space.space, cursor, batch],
    );
    const documents = rows.map(({ doc, body }) => ({
      doc,
      passages: readBody(body).passages.map(([, text]) => text),
    }));
    const last = rows.length < batch ? space.lastDoc : (rows.at(-1)?.doc ?? space.lastDoc);
    return { space, documents, upTo: last };
  }
  return undefined;
}

async function stillThere(uow: UnitOfWork, documents: Work['documents']): Promise<ReadonlySet<number>> {
  const { numbers } = engineOf(uow);
  const rows = await uow.all<{ doc: number }>(`select doc from search_documents where doc in ${numbers}`, [
    JSON.stringify(documents.map(({ doc }) => doc)),
  ]);
  return new Set(rows.map(({ doc }) => doc));
}

async function moveCursor(uow: UnitOfWork, space: number, embedder: string, doc: number): Promise<void> {
  await uow.run(
    `insert into search_vector_cursors (space, embedder, doc) values (?, ?, ?)
     on conflict (space, embedder) do update set doc = excluded.doc
     where search_vector_cursors.doc < excluded.doc`,
    [space, embedder, doc],
  );
}

/** Vectors of an embedder that is no longer used; answers how many rows went. */
async function dropOthers(db: Database, embedder: string, batch: number): Promise<number> {
  const other = await db.read((reader) =>
    reader.get('select space from search_vector_cursors where embedder <> ? limit 1', [embedder]),
  );
  if (other === undefined) return 0;
  return db.write(async (uow) => {
    const { numbers } = engineOf(uow);
    const rows = await uow.all<{ seq: number }>(
      'select seq from search_vectors where embedder <> ? order by seq limit ?',
      [embedder, batch * 16],
    );
    if (rows.length > 0) {
      await uow.run(`delete from search_vectors where seq in ${numbers}`, [
        JSON.stringify(rows.map(({ seq }) => seq)),
      ]);
      return rows.length;
    }
    return uow.run('delete from search_vector_cursors where embedder <> ?', [embedder]);
  });
}
