import { asStrings } from '../../../kernel/json/loose.ts';
import { readJson } from '../../../kernel/json/reader.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import {
  type DocumentKey,
  type DocumentSource,
  pagedSource,
  type SearchDocument,
} from '../../../spine/search/document.ts';
import { contentOf } from './rules.ts';
import { selectSearchable } from './store.ts';

export const COLLECTION = 'memory';

export const memoryKey = (projectId: string, did: string, memoryId: string): DocumentKey => ({
  projectId,
  collection: COLLECTION,
  id: `${did} ${memoryId}`,
});

/** What search knows of a memory. */
export function memoryDocument(
  key: DocumentKey,
  document: JsonObject,
  { classId, learned }: { readonly classId: number; readonly learned: number | undefined },
): SearchDocument {
  return {
    ...key,
    fields: [
      { name: 'content', text: contentOf(document) },
      ...(Array.isArray(document.tags) ? [{ name: 'tags', text: asStrings(document.tags).join(' ') }] : []),
    ],
    attributes: { class: String(classId) },
    ...(learned !== undefined && { time: learned }),
  };
}

/** What search should know of memories, from their own rows. */
export const memorySearchSource: DocumentSource = pagedSource<[string, string]>(
  async (reader, after, limit) => {
    const rows = await selectSearchable(reader, after, limit);
    return rows.map((row) => ({
      at: [row.did, row.memory_id],
      document: memoryDocument(
        memoryKey(row.project_id, row.did, row.memory_id),
        readJson(row.body) as JsonObject,
        { classId: row.class_id, learned: row.learned_us ?? undefined },
      ),
    }));
  },
);
