import type { Reader, SqlValue } from '../../storage/database.ts';
import { insertion } from '../../storage/insertion.ts';
import type { Posting, PostingQuery, SearchEngine } from './engine.ts';
import { decodeTermList, postingOf } from './term-list.ts';

const postingRows = insertion({ into: 'search_postings', columns: ['rowid', 'terms'] });

/**
 * FTS5 with numbers for words: `12` is the term, `12s` the same term where it is strong. The table holds postings only
 * (no copy of the text, no positions), and what is deleted is overwritten.
 */
export const sqliteEngine: SearchEngine = {
  schema: [
    `create virtual table search_postings
       using fts5(terms, content = '', columnsize = 0, detail = none, tokenize = 'ascii')`,
    `insert into search_postings (search_postings, rank) values ('secure-delete', 1)`,
  ],
  amongTexts: 'in (select value from json_each(?))',
  amongNumbers: 'in (select value from json_each(?))',
  spacesAndWords: `(select cast(g.key as integer) as space, w.value as word
     from json_each(?) as g cross join json_each(g.value) as w) as wanted`,
  many: (column) => `json_group_array(${column})`,
  manyBytes: (column) => `json_group_array(hex(${column}))`,

  add(uow, postings) {
    return postingRows.run(
      uow,
      postings.map((posting) => [posting.doc, textOf(posting)]),
    );
  },

  async remove(uow, posting) {
    await uow.run(`insert into search_postings (search_postings, rowid, terms) values ('delete', ?, ?)`, [
      posting.doc,
      textOf(posting),
    ]);
  },

  async clear(uow) {
    await uow.run(`insert into search_postings (search_postings) values ('delete-all')`);
  },

  async find(reader, query) {
    const values: SqlValue[] = [matchOf(query)];
    if (query.asOf !== undefined) values.push(query.asOf);
    if (query.limit !== undefined) values.push(query.limit);
    const row = await reader.get<{ docs: string }>(statementOf(query), values);
    return row === undefined ? [] : (JSON.parse(row.docs) as number[]);
  },

  async wrongPostings(reader, postings) {
    const wrong: number[] = [];
    for (const posting of postings) if (!(await holds(reader, posting))) wrong.push(posting.doc);
    return wrong;
  },

  /** Every document is found by its own words, so a word has too many documents if its count is too high. */
  async surplusPostings(reader, { docs, posted, strong }) {
    const surplus = new Set<number>();
    for (let after = ''; ; ) {
      const words = await reader.all<{ term: string; doc: number }>(
        `select term, doc from search_postings_vocabulary where term > ? order by term limit ${WORDS_AT_ONCE}`,
        [after],
      );
      for (const { term: word, doc: count } of words) {
        const expected = (word.endsWith('s') ? strong : posted).get(Number.parseInt(word, 10));
        if (count === expected) continue;
        for (const doc of await documentsWith(reader, word)) {
          if (docs.get(doc) === 0 || !(await isPosted(reader, doc, word))) surplus.add(doc);
        }
      }
      if (words.length < WORDS_AT_ONCE) return [...surplus].sort((a, b) => a - b);
      after = words.at(-1)?.term ?? after;
    }
  },
};

const WORDS_AT_ONCE = 5_000;

/** Whether the document is found by every one of its terms. */
async function holds(reader: Reader, posting: Posting): Promise<boolean> {
  const words = textOf(posting);
  if (words === '') return true;
  const match = words.split(' ').map(quote).join(' AND ');
  const sql = 'select rowid as doc from search_postings where search_postings match ? and rowid = ?';
  return (await reader.get(sql, [match, posting.doc])) !== undefined;
}

async function documentsWith(reader: Reader, word: string): Promise<number[]> {
  const rows = await reader.all<{ doc: number }>(
    'select rowid as doc from search_postings where search_postings match ?',
    [quote(word)],
  );
  return rows.map(({ doc }) => doc);
}

/** By the list of the document itself. */
async function isPosted(reader: Reader, doc: number, word: string): Promise<boolean> {
  const row = await reader.get<{ terms: Uint8Array }>('select terms from search_documents where doc = ?', [
    doc,
  ]);
  return (
    row !== undefined &&
    textOf(postingOf(doc, decodeTermList(row.terms)))
      .split(' ')
      .includes(word)
  );
}

/** All numbers in one row: a row for each would cost ten times as much. */
function statementOf({ asOf, limit }: PostingQuery): string {
  const times = asOf === undefined ? '' : 'join search_documents d on d.doc = p.rowid';
  const notLater = asOf === undefined ? '' : 'and (d.time is null or d.time <= ?)';
  const newest = limit === undefined ? '' : 'order by p.rowid desc limit ?';
  return `select json_group_array(doc) as docs from (
    select p.rowid as doc from search_postings p ${times} where search_postings match ? ${notLater} ${newest})`;
}

function textOf({ terms, strong }: Posting): string {
  return [...terms, ...strong.map((term) => `${term}s`)].join(' ');
}

function matchOf({ anyOf, strong = false, filters }: PostingQuery): string {
  const words = anyOf.map((term) => (strong ? `${term}s` : `${term}`));
  return [words, ...filters].map((group) => `(${group.map(quote).join(' OR ')})`).join(' AND ');
}

function quote(word: string | number): string {
  return `"${word}"`;
}
