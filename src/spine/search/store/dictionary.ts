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

/** The numbers of words, by space. */
export type WordNumbers = ReadonlyMap<number, ReadonlyMap<string, number>>;

type SpaceAndWord = readonly [space: number, word: string];

/** The numbers of these words, given to those that have none. The caller holds the spaces. */
export async function numberWords(
  uow: UnitOfWork,
  bySpace: ReadonlyMap<number, ReadonlySet<string>>,
): Promise<WordNumbers> {
  const { spacesAndWords } = engineOf(uow);
  const numbers = new Map<number, Map<string, number>>();
  const wanted: SpaceAndWord[] = [];
  for (const [space, words] of bySpace) {
    numbers.set(space, new Map());
    for (const word of words) wanted.push([space, word]);
  }
  const take = ({ space, word, term }: NumberedWord) => numbers.get(space)?.set(word, term);
  for (const some of slices(wanted)) {
    // Word by word through the index, whatever the engine thinks of how many there are.
    const known = await uow.all<SpaceWord & { readonly term: number | null }>(
      `select space, word, (select term from search_terms t where t.space = wanted.space and t.word = wanted.word) as term
       from ${spacesAndWords}`,
      [textOf(some)],
    );
    const missing: SpaceAndWord[] = [];
    for (const { space, word, term } of known) {
      if (term === null) missing.push([space, word]);
      else take({ space, word, term });
    }
    if (missing.length === 0) continue;
    const added = await uow.all<NumberedWord>(
      `insert into search_terms (space, word, documents) select space, word, 0 from ${spacesAndWords}
       returning space, word, term`,
      [textOf(missing)],
    );
    for (const one of added) take(one);
  }
  return numbers;
}

interface SpaceWord {
  readonly space: number;
  readonly word: string;
}

type NumberedWord = SpaceWord & { readonly term: number };

function textOf(words: readonly SpaceAndWord[]): string {
  const bySpace: Record<number, string[]> = {};
  for (const [space, word] of words) {
    const known = bySpace[space];
    if (known === undefined) bySpace[space] = [word];
    else known.push(word);
  }
  return JSON.stringify(bySpace);
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
