/** What a check of the index reads. */
import type { Reader } from '../../storage/database.ts';
import { engineOf } from './engine.ts';

export interface StoredDocument {
  readonly doc: number;
  readonly id: string;
  readonly time: number | null;
  readonly terms: Uint8Array;
  readonly embedder: string | null;
  readonly vectors: Uint8Array | null;
  readonly body: string | null;
  readonly codes: Uint8Array | null;
  readonly codes_space: number | null;
  readonly codes_embedder: string | null;
}

/** The documents of a space with these ids, with all that belongs to them. */
export function selectStoredDocuments(
  reader: Reader,
  space: number,
  ids: readonly string[],
): Promise<StoredDocument[]> {
  return reader.all(
    `select d.doc, d.id, d.time, d.terms, d.embedder, d.vectors, b.body,
       c.codes, c.space as codes_space, c.embedder as codes_embedder
     from search_documents d
     left join search_bodies b on b.doc = d.doc left join search_codes c on c.doc = d.doc
     where d.space = ? and d.id ${engineOf(reader).amongTexts}`,
    [space, JSON.stringify(ids)],
  );
}

export interface PlacedDocument {
  readonly doc: number;
  readonly space: number;
  readonly id: string;
}

export function selectPlaces(reader: Reader, after: number, limit: number): Promise<PlacedDocument[]> {
  return reader.all('select doc, space, id from search_documents where doc > ? order by doc limit ?', [
    after,
    limit,
  ]);
}

/** Tables whose rows belong to one document each. */
export type PartTable = 'search_bodies' | 'search_codes';

export async function selectPartDocs(
  reader: Reader,
  table: PartTable,
  after: number,
  limit: number,
): Promise<number[]> {
  const rows = await reader.all<{ doc: number }>(
    `select doc from ${table} where doc > ? order by doc limit ?`,
    [after, limit],
  );
  return rows.map(({ doc }) => doc);
}

export interface StoredTerm {
  readonly term: number;
  readonly documents: number;
}

export function selectTerms(reader: Reader, after: number, limit: number): Promise<StoredTerm[]> {
  return reader.all('select term, documents from search_terms where term > ? order by term limit ?', [
    after,
    limit,
  ]);
}

/** Those of these numbers that are no word's. */
export async function selectUnknownTerms(reader: Reader, terms: readonly number[]): Promise<number[]> {
  const rows = await reader.all<{ term: number }>(
    `select term from search_terms where term ${engineOf(reader).amongNumbers}`,
    [JSON.stringify(terms)],
  );
  const known = new Set(rows.map(({ term }) => term));
  return terms.filter((term) => !known.has(term));
}

/** By space: the embedder that follows, and the last document that has its vectors. */
export async function selectVectorCursors(
  reader: Reader,
): Promise<ReadonlyMap<number, { readonly embedder: string; readonly doc: number }>> {
  const rows = await reader.all<{ space: number; embedder: string; doc: number }>(
    'select space, embedder, doc from search_vector_cursors',
  );
  return new Map(rows.map(({ space, embedder, doc }) => [space, { embedder, doc }]));
}
