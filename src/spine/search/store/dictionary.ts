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

/** A statement about more would hold up whoever waits for a turn. */
const WORDS_AT_ONCE = 2_000;

function* slices<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += WORDS_AT_ONCE) yield items.slice(at, at + WORDS_AT_ONCE);
}

/** The numbers of these words, given to those that have none. The caller holds the space. */
export async function numberWords(
  uow: UnitOfWork,
  space: number,
  words: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = engineOf(uow);
  const numbers = new Map<string, number>();
  for (const some of slices(words)) {
    for (const { word, term } of await lookUp(uow, [space], some)) numbers.set(word, term);
    const missing = some.filter((word) => !numbers.has(word));
    if (missing.length === 0) continue;
    const added = await uow.all<{ word: string; term: number }>(
      `insert into search_terms (space, word, documents) select cast(? as bigint), value, 0 from ${rows}
       returning word, term`,
      [space, JSON.stringify(missing)],
    );
    for (const { word, term } of added) numbers.set(word, term);
  }
  return numbers;
}

export function lookUp(
  reader: Reader,
  spaces: readonly number[],
  words: readonly string[],
): Promise<DictionaryEntry[]> {
  if (words.length === 0) return Promise.resolve([]);
  const { amongNumbers, amongTexts } = engineOf(reader);
  return reader.all<DictionaryEntry>(
    `select term, space, word, documents from search_terms where space ${amongNumbers} and word ${amongTexts}`,
    [JSON.stringify(spaces), JSON.stringify(words)],
  );
}

/** Adds to the counts of documents; a word that no document has any more is forgotten. */
export async function countTerms(uow: UnitOfWork, changes: ReadonlyMap<number, number>): Promise<void> {
  const { amongNumbers } = engineOf(uow);
  const byChange = new Map<number, number[]>();
  for (const [term, change] of changes) {
    if (change === 0) continue;
    const terms = byChange.get(change);
    if (terms === undefined) byChange.set(change, [term]);
    else terms.push(term);
  }
  for (const [change, terms] of byChange) {
    for (const some of slices(terms)) {
      await uow.send(`update search_terms set documents = documents + ? where term ${amongNumbers}`, [
        change,
        JSON.stringify(some),
      ]);
    }
  }
  const fewer = [...changes].filter(([, change]) => change < 0).map(([term]) => term);
  for (const some of slices(fewer)) {
    await uow.send(`delete from search_terms where documents = 0 and term ${amongNumbers}`, [
      JSON.stringify(some),
    ]);
  }
}
