import type { UnitOfWork } from '../../storage/database.ts';
import { inTurns } from '../../storage/in-turns.ts';
import { insertion } from '../../storage/insertion.ts';
import type { DocumentKey, SearchDocument } from '../document.ts';
import { analyze, type Passage } from '../rules/analysis.ts';
import { type PackedAnalysis, unpackPassage } from '../rules/packed-analysis.ts';
import { isStopTerm } from '../rules/stop-words.ts';
import type { Embedder } from '../vectors/embedder.ts';
import { writeBody } from './body.ts';
import { attributeWord, countTerms, numberWords } from './dictionary.ts';
import { type DocumentVectors, moveCursors, packDocument, writeCodes } from './document-vectors.ts';
import { engineOf } from './engine.ts';
import { textKey } from './group-by.ts';
import { changeSpaces, lockOrCreateSpaces, type Space, spaceKey } from './spaces.ts';
import {
  countedTerms,
  decodeTermList,
  encodeTermList,
  postingOf,
  type TermList,
  type TermUse,
  usesOf,
} from './term-list.ts';

/** A document to put into the index or, without `document`, to remove from it. */
export interface Change {
  readonly key: DocumentKey;
  readonly document?: SearchDocument;
  /** Of a long text, made before. */
  readonly analysis?: PackedAnalysis | undefined;
}

/**
 * Replaces these documents in the index, those of all spaces together. Whatever needs no answer of the store is done before
 * it holds the spaces, for which other commits wait.
 */
export async function applyChanges(
  uow: UnitOfWork,
  embedder: Embedder,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length === 0) return;
  const analyzed = await analyzeAll(uow, embedder, changes.filter(isAddition));
  const names = new Map(changes.map(({ key }) => [spaceKey(key), key]));
  const needed = new Map(analyzed.map(({ key }) => [spaceKey(key), key]));
  const spaces = await lockOrCreateSpaces(uow, [...names.values()], [...needed.values()]);
  const tallies = new Tallies(spaces.values());
  // Both wait for the server at the same time.
  const [stored, entries] = await Promise.all([
    selectStored(uow, spaces, changes),
    numberAll(uow, spaces, analyzed),
  ]);
  await takeOut(uow, stored, tallies);
  await putIn(uow, entries, embedder, tallies);
  await countTerms(uow, tallies.terms);
  await changeSpaces(uow, tallies.changed());
}

type Addition = Change & { readonly document: SearchDocument };

const isAddition = (change: Change): change is Addition => change.document !== undefined;

interface StoredTerms {
  readonly space: number;
  readonly doc: number;
  readonly id: string;
  readonly terms: Uint8Array;
}

/** What the index holds of the documents that change. */
async function selectStored(
  uow: UnitOfWork,
  spaces: ReadonlyMap<string, Space>,
  changes: readonly Change[],
): Promise<StoredTerms[]> {
  const { amongNumbers, amongTexts } = engineOf(uow);
  const wanted = new Set(
    changes.map(({ key }) => textKey(`${spaces.get(spaceKey(key))?.space ?? ''}`, key.id)),
  );
  const rows = await uow.all<StoredTerms>(
    `select space, doc, id, terms from search_documents where space ${amongNumbers} and id ${amongTexts} order by doc`,
    [
      JSON.stringify([...spaces.values()].map(({ space }) => space)),
      JSON.stringify(changes.map(({ key }) => key.id)),
    ],
  );
  // The same id may be in several spaces.
  return rows.filter(({ space, id }) => wanted.has(textKey(`${space}`, id)));
}

async function takeOut(uow: UnitOfWork, stored: readonly StoredTerms[], tallies: Tallies): Promise<void> {
  for (const { space, doc, terms } of stored) {
    const list = decodeTermList(terms);
    const uses = usesOf(list);
    await engineOf(uow).remove(uow, postingOf(doc, list, uses));
    await uow.send('delete from search_documents where doc = ?', [doc]);
    tallies.add(space, { list, uses }, -1);
  }
}

const documentRows = insertion({
  into: 'search_documents',
  columns: ['space', 'id', 'time', 'terms', 'embedder', 'vectors'],
  returning: 'doc, space, id',
});
const bodyRows = insertion({ into: 'search_bodies', columns: ['doc', 'body'] });

interface Analyzed {
  readonly key: DocumentKey;
  readonly document: SearchDocument;
  readonly passages: readonly Passage[];
  readonly own: DocumentVectors | undefined;
  readonly body: string;
}

async function analyzeAll(
  uow: UnitOfWork,
  embedder: Embedder,
  added: readonly Addition[],
): Promise<Analyzed[]> {
  const analyzed: Analyzed[] = [];
  for (const { key, document, analysis } of added) {
    await uow.giveTurn();
    const passages = analysis?.passages.map(unpackPassage) ?? analyze(document.fields).passages;
    const own = await embedNow(uow, embedder, passages);
    analyzed.push({ key, document, passages, own, body: writeBody(document.fields, passages) });
  }
  return analyzed;
}

interface Entry extends Analyzed {
  readonly space: number;
  readonly list: TermList;
  readonly uses: readonly TermUse[];
}

/** With numbers for the words of them all. */
async function numberAll(
  uow: UnitOfWork,
  spaces: ReadonlyMap<string, Space>,
  analyzed: readonly Analyzed[],
): Promise<Entry[]> {
  const spaceOf = ({ key }: Analyzed) => (spaces.get(spaceKey(key)) as Space).space;
  const words = new Map<number, Set<string>>();
  await inTurns(uow, analyzed, (one) => {
    const ofSpace = words.get(spaceOf(one)) ?? new Set();
    words.set(spaceOf(one), ofSpace);
    addWords(ofSpace, one.document, one.passages);
  });
  const numbers = await numberWords(uow, words);
  return inTurns(uow, analyzed, (one) => {
    const space = spaceOf(one);
    const list = toTermList(one.document, one.passages, numbers.get(space) ?? new Map());
    return { ...one, space, list, uses: usesOf(list) };
  });
}

async function putIn(
  uow: UnitOfWork,
  entries: readonly Entry[],
  embedder: Embedder,
  tallies: Tallies,
): Promise<void> {
  if (entries.length === 0) return;
  const stored = await documentRows.returning<{ doc: number; space: number; id: string }>(
    uow,
    await inTurns(uow, entries, ({ space, document, list, uses, own }) => [
      space,
      document.id,
      document.time ?? null,
      encodeTermList(list, uses),
      own ? embedder.id : null,
      own?.vectors ?? null,
    ]),
  );
  const docs = new Map(stored.map(({ space, id, doc }) => [textKey(`${space}`, id), doc]));
  const docOf = ({ space, document }: Entry) => docs.get(textKey(`${space}`, document.id)) as number;
  await bodyRows.run(
    uow,
    entries.map((entry) => [docOf(entry), entry.body]),
  );
  const codes = entries.flatMap((entry) =>
    entry.own ? [{ doc: docOf(entry), space: entry.space, codes: entry.own.codes }] : [],
  );
  await writeCodes(uow, embedder.id, codes);
  await engineOf(uow).add(
    uow,
    await inTurns(uow, entries, (entry) => postingOf(docOf(entry), entry.list, entry.uses)),
  );
  await inTurns(uow, entries, (entry) => tallies.add(entry.space, entry, 1, docOf(entry)));
  if (embedder.embedNow !== undefined) await moveCursors(uow, embedder.id, tallies.grown());
}

const EMBEDDED_AT_ONCE = 20;

async function embedNow(
  uow: UnitOfWork,
  embedder: Embedder,
  passages: readonly Passage[],
): Promise<DocumentVectors | undefined> {
  if (embedder.embedNow === undefined || passages.length === 0) return undefined;
  const texts = passages.map(({ text }) => text);
  const vectors: Float32Array[] = [];
  for (let at = 0; at < passages.length; at += EMBEDDED_AT_ONCE) {
    await uow.giveTurn();
    const next = passages.slice(at, at + EMBEDDED_AT_ONCE);
    vectors.push(
      ...embedder.embedNow(
        next.map(({ text }) => text),
        next.map(({ words }) => words),
      ),
    );
  }
  return packDocument(texts, vectors);
}

export function wordsOfDocument(document: SearchDocument, passages: readonly Passage[]): string[] {
  const words = new Set<string>();
  addWords(words, document, passages);
  return [...words];
}

function addWords(words: Set<string>, document: SearchDocument, passages: readonly Passage[]): void {
  for (const word of attributeWords(document)) words.add(word);
  for (const { frequencies } of passages) for (const word of frequencies.keys()) words.add(word);
}

function attributeWords({ attributes = {} }: SearchDocument): string[] {
  return Object.entries(attributes).map(([name, value]) => attributeWord(name, value));
}

export function toTermList(
  document: SearchDocument,
  passages: readonly Passage[],
  numbers: ReadonlyMap<string, number>,
): TermList {
  const numberOf = (word: string) => numbers.get(word) ?? 0;
  const stops = new Set<string>();
  const passageTerms = passages.map(({ weight, length, frequencies }) => {
    const numbered = new Map<number, number>();
    for (const [word, count] of frequencies) {
      numbered.set(numberOf(word), count);
      if (isStopTerm(word)) stops.add(word);
    }
    return { weight, length, frequencies: numbered };
  });
  return {
    attributes: attributeWords(document).map(numberOf),
    stops: [...stops].map(numberOf),
    passages: passageTerms,
  };
}

interface Counted {
  readonly list: TermList;
  readonly uses: readonly TermUse[];
}

/** What the changes of one commit add up to. */
class Tallies {
  /** Numbers of terms are those of one space only. */
  readonly terms = new Map<number, number>();
  readonly #spaces = new Map<number, Tally>();

  constructor(spaces: Iterable<Space>) {
    for (const space of spaces) this.#spaces.set(space.space, newTally(space));
  }

  /** `doc`: the number that a document was given. */
  add(space: number, { list, uses }: Counted, sign: 1 | -1, doc = 0): void {
    const tally = this.#spaces.get(space) as Tally;
    tally.changed = true;
    tally.documents += sign;
    tally.passages += sign * list.passages.length;
    for (const { weight, length } of list.passages) {
      tally.weightedLength += sign * weight * length;
      tally.plainLength += sign * length;
    }
    tally.lastDoc = Math.max(tally.lastDoc, doc);
    for (const term of countedTerms(list, uses)) this.terms.set(term, (this.terms.get(term) ?? 0) + sign);
  }

  changed(): Tally[] {
    return [...this.#spaces.values()].filter(({ changed }) => changed);
  }

  /** Those to which documents were added. */
  grown(): Tally[] {
    return [...this.#spaces.values()].filter(({ lastDoc, lastDocBefore }) => lastDoc > lastDocBefore);
  }
}

interface Tally {
  readonly space: number;
  readonly lastDocBefore: number;
  documents: number;
  passages: number;
  weightedLength: number;
  plainLength: number;
  lastDoc: number;
  changed: boolean;
}

const newTally = ({ space, lastDoc }: Space): Tally => ({
  space,
  lastDocBefore: lastDoc,
  documents: 0,
  passages: 0,
  weightedLength: 0,
  plainLength: 0,
  lastDoc,
  changed: false,
});
