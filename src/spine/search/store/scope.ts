import type { Reader } from '../../storage/database.ts';
import type { SearchFilter } from '../request.ts';
import { attributeWord, type DictionaryEntry } from './dictionary.ts';
import { engineOf } from './engine.ts';
import type { Scope } from './propose-by-terms.ts';
import type { Space } from './spaces.ts';

/** Up to this many documents, all are scored without proposing candidates first: a project's packages, or books. */
const POOL = 200;
/** More of them if they are short, as what one person said or is remembered of is: so many, with so many passages. */
const POOL_OF_SHORT = 1_000;
const PASSAGES = 1_500;

/** How many documents of these spaces are few enough. */
function mostInPool(spaces: readonly Space[]): number {
  const documents = spaces.reduce((sum, space) => sum + space.documents, 0);
  const passages = spaces.reduce((sum, space) => sum + space.passages, 0);
  const short = Math.floor((PASSAGES * documents) / Math.max(1, passages));
  return Math.max(POOL, Math.min(POOL_OF_SHORT, short));
}

export function attributeWords({ attributes = {} }: SearchFilter): string[][] {
  return Object.entries(attributes).map(([name, values]) =>
    [values].flat().map((value) => attributeWord(name, value)),
  );
}

/** The terms of each filter; undefined if one of them fits no document at all. */
export function filterTerms(
  filter: SearchFilter,
  entries: readonly DictionaryEntry[],
): readonly (readonly number[])[] | undefined {
  const filters = attributeWords(filter).map((words) =>
    entries.filter(({ word }) => words.includes(word)).map(({ term }) => term),
  );
  return filters.every((terms) => terms.length > 0) ? filters : undefined;
}

export async function docsWithIds(
  reader: Reader,
  spaces: readonly Space[],
  ids: readonly string[],
): Promise<ReadonlySet<number>> {
  const { many, amongNumbers, amongTexts } = engineOf(reader);
  const row = await reader.get<{ docs: string }>(
    `select ${many('doc')} as docs from search_documents where space ${amongNumbers} and id ${amongTexts}`,
    [JSON.stringify(spaces.map(({ space }) => space)), JSON.stringify(ids)],
  );
  return new Set(JSON.parse(row?.docs ?? '[]') as number[]);
}

/** Every document in question, if they are few. A superset may be answered: scoring filters again. */
export async function wholePool(
  reader: Reader,
  spaces: readonly Space[],
  scope: Scope,
  entries: readonly DictionaryEntry[],
): Promise<readonly number[] | undefined> {
  const most = mostInPool(spaces);
  if (scope.allowed !== undefined && scope.allowed.size <= most) return [...scope.allowed];
  const { many, amongNumbers, find } = engineOf(reader);
  if (spaces.reduce((sum, { documents }) => sum + documents, 0) <= most) {
    const row = await reader.get<{ docs: string }>(
      `select ${many('doc')} as docs from search_documents where space ${amongNumbers}`,
      [JSON.stringify(spaces.map(({ space }) => space))],
    );
    return within(JSON.parse(row?.docs ?? '[]') as number[], scope);
  }
  for (const terms of scope.filters) {
    if (sizeOf(spaces, { ...scope, filters: [terms] }, entries) > most) continue;
    const { filters, asOf } = scope;
    return within(await find(reader, { anyOf: terms, filters, asOf }), scope);
  }
  return undefined;
}

/** How many documents are within the scope, at most. */
export function sizeOf(
  spaces: readonly Space[],
  { filters, allowed }: Scope,
  entries: readonly DictionaryEntry[],
): number {
  const counts = new Map(entries.map(({ term, documents }) => [term, documents]));
  const all = spaces.reduce((sum, { documents }) => sum + documents, 0);
  const fitting = filters.map((terms) => terms.reduce((sum, term) => sum + (counts.get(term) ?? 0), 0));
  return Math.min(all, allowed?.size ?? all, ...fitting);
}

export function within(docs: readonly number[], { allowed }: Scope): readonly number[] {
  return allowed === undefined ? docs : docs.filter((doc) => allowed.has(doc));
}
