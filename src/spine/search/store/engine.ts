import type { Engine, Reader, UnitOfWork } from '../../storage/database.ts';
import { postgresEngine } from './postgres-engine.ts';
import { sqliteEngine } from './sqlite-engine.ts';

/** What the engine's index holds of a document. */
export interface Posting {
  readonly doc: number;
  /** Terms and attributes, each once. */
  readonly terms: readonly number[];
  /** Those of them that the document is about: proposed first if a term is everywhere. */
  readonly strong: readonly number[];
}

export interface PostingQuery {
  /** Documents with any of these … */
  readonly anyOf: readonly number[];
  /** … as a strong term. */
  readonly strong?: boolean;
  /** And with at least one of each of these. */
  readonly filters: readonly (readonly number[])[];
  /** Not later than this instant, if the document has a time. */
  readonly asOf: number | undefined;
  /** The newest, if there are more; all, if absent. */
  readonly limit?: number;
}

/** All that differs between the engines: an inverted index that proposes and never scores, and some words of SQL. */
export interface SearchEngine {
  /** The statements that make the inverted index. */
  readonly schema: readonly string[];
  /** `where id ${amongTexts}`: a JSON array as one parameter, so that every length of a list is the same statement. */
  readonly amongTexts: string;
  readonly amongNumbers: string;
  /** `select space, word from ${spacesAndWords}`: a row for each word of a JSON object that has arrays of words by space. */
  readonly spacesAndWords: string;
  /** All values of a column of a subquery in one row: `${many('doc')}` yields a JSON array of numbers as text. */
  many(column: string): string;
  /** The same for bytes: an array of hexadecimal texts. */
  manyBytes(column: string): string;

  add(uow: UnitOfWork, postings: readonly Posting[]): Promise<void>;
  /** Takes the posting as it was added: an engine may have no other way to find what it wrote. */
  remove(uow: UnitOfWork, posting: Posting): Promise<void>;
  clear(uow: UnitOfWork): Promise<void>;
  /** Numbers of documents, in no order. */
  find(reader: Reader, query: PostingQuery): Promise<number[]>;
  /** The documents of these postings that the index does not hold as they are here. */
  wrongPostings(reader: Reader, postings: readonly Posting[]): Promise<number[]>;
  /** Documents that it holds though it should not, or by more terms than it should. */
  surplusPostings(reader: Reader, expected: ExpectedPostings): Promise<number[]>;
}

/** What all postings together should be. */
export interface ExpectedPostings {
  readonly docs: Counts;
  readonly posted: Counts;
  readonly strong: Counts;
}

export interface Counts {
  get(number: number): number;
}

const ENGINES: Readonly<Record<Engine, SearchEngine>> = { sqlite: sqliteEngine, postgres: postgresEngine };

export function engineOf({ engine }: { readonly engine: Engine }): SearchEngine {
  return ENGINES[engine];
}
