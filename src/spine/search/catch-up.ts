import type { Database, Reader, UnitOfWork } from '../storage/database.ts';
import { readBody } from './store/body.ts';
import { packDocument, replaceVectors } from './store/document-vectors.ts';
import { allSpaces, lockSpace, type Space } from './store/spaces.ts';
import type { Embedder } from './vectors/embedder.ts';

export interface CatchUpProgress {
  readonly embedded: number;
  /** Whether there may be more to do at once. */
  readonly left: boolean;
}

/**
 * One step behind the documents: reads the next ones without vectors of this embedder, embeds them outside of any
 * transaction, writes the vectors over those of an earlier embedder and moves the space's cursor with them. Safe to
 * stop anywhere and to run twice at the same time.
 */
export async function catchUp(db: Database, embedder: Embedder, batch = 64): Promise<CatchUpProgress> {
  const work = await db.read((reader) => nextWork(reader, embedder.id, batch));
  if (work === undefined) return { embedded: 0, left: false };
  const texts = work.documents.flatMap(({ passages }) => passages);
  const vectors = texts.length > 0 ? await embedder.embed(texts) : [];
  await db.write(async (uow) => {
    await lockSpace(uow, work.space.projectId, work.space.collection);
    let at = 0;
    for (const { doc, passages } of work.documents) {
      const own = packDocument(passages, vectors.slice(at, at + passages.length));
      at += passages.length;
      await replaceVectors(uow, { space: work.space.space, doc }, embedder.id, own);
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
      `select d.doc, b.body from search_documents d join search_bodies b on b.doc = d.doc
       where d.space = ? and d.doc > ? and (d.embedder is null or d.embedder <> ?) order by d.doc limit ?`,
      [space.space, cursor, embedder, batch],
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

/** One cursor to a space: another embedder has overwritten what the last one had done. */
async function moveCursor(uow: UnitOfWork, space: number, embedder: string, doc: number): Promise<void> {
  await uow.run(
    `insert into search_vector_cursors (space, embedder, doc) values (?, ?, ?)
     on conflict (space) do update set embedder = excluded.embedder, doc = excluded.doc
     where search_vector_cursors.embedder <> excluded.embedder or search_vector_cursors.doc < excluded.doc`,
    [space, embedder, doc],
  );
}
