import type { Reader, UnitOfWork } from '../../storage/database.ts';
import { insertion } from '../../storage/insertion.ts';
import { packVectors } from '../vectors/packed-vectors.ts';
import { packCodes, signCode } from '../vectors/sign-code.ts';

/** A code covers about this much text: codes only propose, and fewer of them are compared faster. */
const CODE_SPAN = 1_200;

export interface DocumentVectors {
  readonly vectors: Uint8Array;
  readonly codes: Uint8Array;
}

/** Vectors by passage, codes by stretches of neighbouring passages. */
export function packDocument(texts: readonly string[], vectors: readonly Float32Array[]): DocumentVectors {
  return { vectors: packVectors(vectors), codes: packCodes(stretches(texts, vectors).map(signCode)) };
}

function stretches(texts: readonly string[], vectors: readonly Float32Array[]): Float32Array[] {
  const sums: Float32Array[] = [];
  let span = Number.POSITIVE_INFINITY;
  for (const [at, vector] of vectors.entries()) {
    const { length } = texts[at] as string;
    if (isZero(vector)) continue;
    const joins = span + length <= CODE_SPAN;
    const sum = joins ? (sums.at(-1) as Float32Array) : new Float32Array(vector.length);
    if (!joins) sums.push(sum);
    addTo(sum, vector, length);
    span = joins ? span + length : length;
  }
  return sums;
}

function isZero(vector: Float32Array): boolean {
  for (let at = 0; at < vector.length; at += 1) if (vector[at] !== 0) return false;
  return true;
}

function addTo(sum: Float32Array, vector: Float32Array, weight: number): void {
  for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] as number) + weight * (vector[at] as number);
}

/** Replaces the document's vectors with those of this embedder; returns false if the document is gone. */
export async function replaceVectors(
  uow: UnitOfWork,
  { space, doc }: { readonly space: number; readonly doc: number },
  embedder: string,
  { vectors, codes }: DocumentVectors,
): Promise<boolean> {
  const there = await uow.run('update search_documents set embedder = ?, vectors = ? where doc = ?', [
    embedder,
    vectors,
    doc,
  ]);
  if (there === 0) return false;
  await uow.run('delete from search_codes where doc = ?', [doc]);
  await writeCodes(uow, embedder, [{ doc, space, codes }]);
  return true;
}

const codeRows = insertion({ into: 'search_codes', columns: ['doc', 'space', 'embedder', 'codes'] });

export interface CodesOfDocument {
  readonly doc: number;
  readonly space: number;
  readonly codes: Uint8Array;
}

/** The caller holds the spaces: rows of one space are numbered in the order of their commits. */
export function writeCodes(
  uow: UnitOfWork,
  embedder: string,
  documents: readonly CodesOfDocument[],
): Promise<void> {
  return codeRows.run(
    uow,
    documents.map(({ doc, space, codes }) => [doc, space, embedder, codes]),
  );
}

/** By space: the last document that the embedder has seen. */
export async function selectCursors(reader: Reader, embedder: string): Promise<ReadonlyMap<number, number>> {
  const rows = await reader.all<{ space: number; doc: number }>(
    'select space, doc from search_vector_cursors where embedder = ?',
    [embedder],
  );
  return new Map(rows.map(({ space, doc }) => [space, doc]));
}

/** The next documents of a space without vectors of this embedder. */
export function selectUnembedded(
  reader: Reader,
  space: number,
  { after, embedder, limit }: { readonly after: number; readonly embedder: string; readonly limit: number },
): Promise<{ readonly doc: number; readonly body: string }[]> {
  return reader.all(
    `select d.doc, b.body from search_documents d join search_bodies b on b.doc = d.doc
     where d.space = ? and d.doc > ? and (d.embedder is null or d.embedder <> ?) order by d.doc limit ?`,
    [space, after, embedder, limit],
  );
}

/** One cursor for each space: another embedder overwrites what the last one did. */
export async function moveCursor(
  uow: UnitOfWork,
  space: number,
  embedder: string,
  doc: number,
): Promise<void> {
  await uow.run(
    `insert into search_vector_cursors (space, embedder, doc) values (?, ?, ?)
     on conflict (space) do update set embedder = excluded.embedder, doc = excluded.doc
     where search_vector_cursors.embedder <> excluded.embedder or search_vector_cursors.doc < excluded.doc`,
    [space, embedder, doc],
  );
}

export interface GrownSpace {
  readonly space: number;
  readonly lastDocBefore: number;
  readonly lastDoc: number;
}

/**
 * Past documents that came with their vectors, where nothing was left to embed before: a cursor says that every document up
 * to it has its vectors.
 */
export async function moveCursors(
  uow: UnitOfWork,
  embedder: string,
  spaces: readonly GrownSpace[],
): Promise<void> {
  const known = spaces.filter(({ lastDocBefore }) => lastDocBefore > 0);
  if (uow.engine === 'postgres' && known.length > 0) {
    await uow.send(
      `update search_vector_cursors as c set doc = given."lastDoc"
       from json_to_recordset(cast(? as json)) as given (space bigint, "lastDoc" bigint, "lastDocBefore" bigint)
       where c.space = given.space and c.embedder = ? and c.doc >= given."lastDocBefore"`,
      [JSON.stringify(known), embedder],
    );
  } else for (const one of known) await uow.send(MOVE, moveOf(embedder, one));
  for (const one of spaces) {
    if (one.lastDocBefore > 0 || (await uow.run(MOVE, moveOf(embedder, one))) > 0) continue;
    await uow.run('insert into search_vector_cursors (space, embedder, doc) values (?, ?, ?)', [
      one.space,
      embedder,
      one.lastDoc,
    ]);
  }
}

const MOVE = 'update search_vector_cursors set doc = ? where space = ? and embedder = ? and doc >= ?';

const moveOf = (embedder: string, { space, lastDocBefore, lastDoc }: GrownSpace) => [
  lastDoc,
  space,
  embedder,
  lastDocBefore,
];
