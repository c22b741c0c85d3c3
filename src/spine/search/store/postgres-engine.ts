import type { SqlValue } from '../../storage/database.ts';
import { insertion } from '../../storage/insertion.ts';
import type { Posting, PostingQuery, SearchEngine } from './engine.ts';

const postingRows = insertion({
  into: 'search_postings',
  columns: ['doc', 'terms'],
  marks: '?, cast(? as bigint[])',
});

/**
 * An array of numbers under a GIN index: `12` is the term, `-12` the same term where it is strong. A text search
 * vector would hold the same numbers as words, in twice the space.
 */
export const postgresEngine: SearchEngine = {
  schema: [
    `create table search_postings (
       doc bigint primary key references search_documents (doc) on delete cascade,
       terms bigint[] not null
     )`,
    // Every search reads the list of what is not yet merged into the index; by default it grows to 4 MB.
    'create index search_postings_terms on search_postings using gin (terms) with (gin_pending_list_limit = 128)',
  ],
  // As arrays: of a subquery the planner thinks that it has a hundred rows, and reads whole tables to join it.
  amongTexts: '= any(array(select json_array_elements_text(cast(? as json))))',
  amongNumbers: '= any(array(select cast(json_array_elements_text(cast(? as json)) as bigint)))',
  spacesAndWords: `(select cast(g.key as bigint) as space, w.word
     from json_each(cast(? as json)) as g cross join lateral json_array_elements_text(g.value) as w (word)) as wanted`,
  many: (column) => `cast(coalesce(json_agg(${column}), '[]') as text)`,
  manyBytes: (column) => `cast(coalesce(json_agg(encode(${column}, 'hex')), '[]') as text)`,

  add(uow, postings) {
    return postingRows.run(
      uow,
      postings.map((posting) => [posting.doc, arrayOf(numbersOf(posting))]),
    );
  },

  async remove(uow, { doc }) {
    await uow.send('delete from search_postings where doc = ?', [doc]);
  },

  async clear(uow) {
    await uow.run('delete from search_postings');
  },

  async find(reader, query) {
    const { sql, values } = statementOf(query);
    const row = await reader.get<{ docs: string }>(sql, values);
    return row === undefined ? [] : (JSON.parse(row.docs) as number[]);
  },

  async wrongPostings(reader, postings) {
    const rows = await reader.all<{ doc: number; terms: string }>(
      `select doc, cast(terms as text) as terms from search_postings where doc ${postgresEngine.amongNumbers}`,
      [JSON.stringify(postings.map(({ doc }) => doc))],
    );
    const stored = new Map(rows.map(({ doc, terms }) => [doc, terms]));
    return postings
      .filter((posting) => stored.get(posting.doc) !== arrayOf(numbersOf(posting)))
      .map(({ doc }) => doc);
  },

  async surplusPostings(reader, { docs }) {
    const surplus: number[] = [];
    for (let after = Number.MIN_SAFE_INTEGER; ; ) {
      const rows = await reader.all<{ doc: number }>(
        `select doc from search_postings where doc > ? order by doc limit ${POSTINGS_AT_ONCE}`,
        [after],
      );
      for (const { doc } of rows) if (docs.get(doc) === 0) surplus.push(doc);
      if (rows.length < POSTINGS_AT_ONCE) return surplus;
      after = rows.at(-1)?.doc ?? after;
    }
  },
};

const POSTINGS_AT_ONCE = 5_000;

/** Materialised, or the planner walks all documents from the newest in the hope of filling the limit early. */
function statementOf({ anyOf, strong = false, filters, asOf, limit }: PostingQuery) {
  const groups = [strong ? anyOf.map((term) => -term) : anyOf, ...filters];
  const values: SqlValue[] = groups.map(arrayOf);
  const conditions = groups.map(() => 'p.terms && cast(? as bigint[])');
  if (asOf !== undefined) {
    conditions.push('(d.time is null or d.time <= ?)');
    values.push(asOf);
  }
  const times = asOf === undefined ? '' : 'join search_documents d on d.doc = p.doc';
  const newest =
    limit === undefined ? 'found' : '(select doc from found order by doc desc limit ?) as newest';
  if (limit !== undefined) values.push(limit);
  const sql = `with found as materialized (
      select p.doc from search_postings p ${times} where ${conditions.join(' and ')})
    select ${postgresEngine.many('doc')} as docs from ${newest}`;
  return { sql, values };
}

function numbersOf({ terms, strong }: Posting): number[] {
  return [...terms, ...strong.map((term) => -term)];
}

function arrayOf(numbers: readonly number[]): string {
  return `{${numbers.join(',')}}`;
}
