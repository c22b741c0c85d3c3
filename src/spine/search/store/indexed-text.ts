import type { Reader } from '../../storage/database.ts';
import type { DocumentKey } from '../document.ts';
import { readBody } from './body.ts';

export interface IndexedText {
  readonly space: number;
  readonly doc: number;
  readonly embedder: string | null;
  readonly passages: readonly { readonly field: string; readonly text: string }[];
  readonly vectors: Uint8Array | null;
}

/** How the index knows a document: its passages, and their vectors as they are packed. */
export async function selectIndexedText(
  reader: Reader,
  { projectId, collection, id }: DocumentKey,
): Promise<IndexedText | undefined> {
  const row = await reader.get<{
    space: number;
    doc: number;
    embedder: string | null;
    vectors: Uint8Array | null;
    body: string;
  }>(
    `select d.space, d.doc, d.embedder, d.vectors, b.body
     from search_spaces s join search_documents d on d.space = s.space join search_bodies b on b.doc = d.doc
     where s.project_id = ? and s.collection = ? and d.id = ?`,
    [projectId, collection, id],
  );
  if (!row) return undefined;
  const { fields, passages } = readBody(row.body);
  return { ...row, passages: passages.map(([field, text]) => ({ field: fields[field] ?? '', text })) };
}
