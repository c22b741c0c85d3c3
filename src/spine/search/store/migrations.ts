import type { Migration } from '../../storage/migration.ts';
import { engineOf } from './engine.ts';

/**
 * A space is one collection of one project: what statistics are counted over. Terms are numbered per space and the
 * engine's index holds only their numbers; no number is given twice, so that what is removed leaves nothing behind
 * that could be read.
 */
export const searchMigrations: readonly Migration[] = [
  {
    name: 'search/0001-index',
    statements: (ddl) => [
      `create table search_spaces (
        space ${ddl.serial},
        project_id ${ddl.text} not null,
        collection ${ddl.text} not null,
        documents ${ddl.int} not null default 0 check (documents >= 0),
        passages ${ddl.int} not null default 0 check (passages >= 0),
        weighted_length ${ddl.int} not null default 0 check (weighted_length >= 0),
        plain_length ${ddl.int} not null default 0 check (plain_length >= 0),
        last_doc ${ddl.int} not null default 0,
        unique (project_id, collection)
      ) ${ddl.end}`,
      `create table search_terms (
        term ${ddl.serial},
        space ${ddl.int} not null references search_spaces (space),
        word ${ddl.text} not null,
        documents ${ddl.int} not null check (documents >= 0),
        unique (space, word)
      ) ${ddl.end}`,
      // All that scoring reads stands in one row, and nothing else does: the text is apart.
      `create table search_documents (
        doc ${ddl.serial},
        space ${ddl.int} not null references search_spaces (space),
        time ${ddl.int},
        terms ${ddl.bytes} not null,
        embedder ${ddl.text},
        vectors ${ddl.bytes},
        id ${ddl.text} not null,
        unique (space, id),
        check ((embedder is null) = (vectors is null))
      ) ${ddl.end}`,
      `create table search_bodies (
        doc ${ddl.int} primary key references search_documents (doc) on delete cascade,
        body ${ddl.text} not null
      ) ${ddl.end}`,
      `create table search_codes (
        seq ${ddl.serial},
        doc ${ddl.int} not null unique references search_documents (doc) on delete cascade,
        space ${ddl.int} not null references search_spaces (space),
        embedder ${ddl.text} not null,
        codes ${ddl.bytes} not null
      ) ${ddl.end}`,
      'create index search_codes_by_space on search_codes (space, embedder, seq)',
      `create table search_vector_cursors (
        space ${ddl.int} primary key references search_spaces (space),
        embedder ${ddl.text} not null,
        doc ${ddl.int} not null
      ) ${ddl.end}`,
      ...engineOf(ddl).schema,
    ],
  },
  {
    // What the index holds of each term, for whoever checks it; PostgreSQL's can be read as it is.
    name: 'search/0002-vocabulary',
    statements: ({ engine }) =>
      engine === 'sqlite'
        ? ["create virtual table search_postings_vocabulary using fts5vocab('search_postings', 'row')"]
        : [],
  },
];
