/** What others use for the same job, on the same documents and as their own documentation sets them up. */
import { DatabaseSync } from '@photostructure/sqlite';

export interface PeerDocument {
  readonly id: string;
  readonly text: string;
}

/** Ids, best first. */
export type PeerSearch = (query: string) => Promise<readonly string[]>;
export type Peer = (documents: readonly PeerDocument[]) => Promise<PeerSearch>;

const TOP = 10;

const minisearch: Peer = async (documents) => {
  const { default: MiniSearch } = await import('minisearch');
  const index = new MiniSearch({ fields: ['text'] });
  index.addAll(documents);
  return async (query) =>
    index
      .search(query)
      .slice(0, TOP)
      .map(({ id }: { id: string }) => id);
};

const orama: Peer = async (documents) => {
  const { create, insertMultiple, search } = await import('@orama/orama');
  const index = create({
    schema: { id: 'string', text: 'string' },
    components: { tokenizer: { stemming: true, language: 'english' } },
  });
  await insertMultiple(index, [...documents]);
  return async (query) => {
    const { hits } = await search(index, { term: query, properties: ['text'], limit: TOP });
    return hits.map(({ document }: { document: { id: string } }) => document.id);
  };
};

/** With its own stemmer; any of the words will do, or most questions would find nothing. */
const fts5: Peer = async (documents) => {
  const db = new DatabaseSync(':memory:');
  db.exec(`create virtual table docs using fts5(id unindexed, text, tokenize = 'porter unicode61')`);
  const insert = db.prepare('insert into docs (id, text) values (?, ?)');
  for (const { id, text } of documents) insert.run(id, text);
  return async (query) => {
    const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    if (words.length === 0) return [];
    // Prepared here: a statement alone does not keep its connection from being collected, and closed.
    const find = db.prepare(`select id from docs where docs match ? order by rank limit ${TOP}`);
    return (find.all(words.map((word) => `"${word}"`).join(' OR ')) as { id: string }[]).map(({ id }) => id);
  };
};

export const PEERS: ReadonlyMap<string, Peer> = new Map([
  ['minisearch', minisearch],
  ['@orama/orama', orama],
  ['plain FTS5', fts5],
]);
