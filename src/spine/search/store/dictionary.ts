import type { Reader, UnitOfWork } from '../../storage/database.ts';
import { engineOf } from './engine.ts';

export interface DictionaryEntry {
  readonly term: number;
  readonly space: number;
  readonly word: string;
  /** How many documents of the space have it. */
  readonly documents: number;
}

/** Attributes are words of the dictionary too; no term of a text begins with `=`. */
export function attributeWord(name: string, value: string): string {
  return `=${name}=${value}`;
}

/** The numbers of these words, given to those that have none. The caller holds the space. */
export async function numberWords(
  uow: UnitOfWork,
  space: number,
  words: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = engineOf(uow);
  const known = await lookUp(uow, [space], words);
  const numbers = new Map(known.map(({ word, term }) => [word, term]));
  const missing = words.filter((word) => !numbers.has(word));
  if (missing.length === 0) return numbers;
  await uow.run(
    `insert into search_terms (space, word, documents) select cast(? as bigint), value, 0 from ${rows}`,
    [space, JSON.stringify(missing)],
  );
  for (const { word, term } of await lookUp(uow, [space], missing)) numbers.set(word, term);
  return numbers;
}

export function lookUp(
  reader: Reader,
  spaces: readonly number[],
  words: readonly string[],
): Promise<DictionaryEntry[]> {
  if (words.length === 0) return Promise.resolve([]);
  const { numbers, texts } = engineOf(reader);
  return reader.all<DictionaryEntry>(
    `select term, space, word, documents from search_terms where space in ${numbers} and word in ${texts}`,
    [JSON.stringify(spaces), JSON.stringify(words)],
  );
}

/** Adds to the counts of documents; a word that no document has any more is forgotten. */
export async function countTerms(uow: UnitOfWork, changes: ReadonlyMap<number, number>): Promise<void> {
  const { numbers } = engineOf(uow);
  const byChange = new Map<number, number[]>();
  for (const [term, change] of changes) {
    if (change === 0) continue;
    const terms = byChange.get(change);
    if (terms === undefined) byChange.set(change, [term]);
    else terms.push(term);
  }
  for (const [change, terms] of byChange) {
    await uow.run(`update search_terms set documents = documents + ? where term in ${numbers}`, [
      change,
      JSON.stringify(terms),
    ]);
  }
  const fewer = [...changes].filter(([, change]) => change < 0).map(([term]) => term);
  if (fewer.length === 0) return;
  await uow.run(`delete from search_terms where documents = 0 and term in ${numbers}`, [
    JSON.stringify(fewer),
  ]);
}

/** By term: how many documents of the space have it. */
export async function selectTermCounts(reader: Reader, space: number): Promise<ReadonlyMap<number, number>> {
  const rows = await reader.all<{ term: number; documents: number }>(
    'select term, documents from search_terms where space = ?',
    [space],
  );
  return new Map(rows.map(({ term, documents }) => [term, documents]));
}
