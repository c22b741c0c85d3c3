import type { Database, Reader } from '../storage/database.ts';
import { readBody } from './store/body.ts';
import {
  moveCursor,
  packDocument,
  replaceVectors,
  selectCursors,
  selectUnembedded,
} from './store/document-vectors.ts';
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
  const cursors = await selectCursors(reader, embedder);
  for (const space of await allSpaces(reader)) {
    const cursor = cursors.get(space.space) ?? 0;
    if (cursor >= space.lastDoc) continue;
    const rows = await selectUnembedded(reader, space.space, { after: cursor, embedder, limit: batch });
    const documents = rows.map(({ doc, body }) => ({
      doc,
      passages: readBody(body).passages.map(([, text]) => text),
    }));
    const last = rows.length < batch ? space.lastDoc : (rows.at(-1)?.doc ?? space.lastDoc);
    return { space, documents, upTo: last };
  }
  return undefined;
}
