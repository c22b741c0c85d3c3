import type { UnitOfWork } from '../../storage/database.ts';
import { insertion } from '../../storage/insertion.ts';
import type { DocumentKey, SearchDocument } from '../document.ts';
import { analyze, type Passage } from '../rules/analysis.ts';
import { type PackedAnalysis, unpackPassage } from '../rules/packed-analysis.ts';
import { isStopTerm } from '../rules/stop-words.ts';
import type { Embedder } from '../vectors/embedder.ts';
import { writeBody } from './body.ts';
import { attributeWord, countTerms, numberWords } from './dictionary.ts';
import { type DocumentVectors, packDocument, writeCodes } from './document-vectors.ts';
import { engineOf } from './engine.ts';
import { groupBy, textKey } from './group-by.ts';
import { changeSpace, lockOrCreateSpace, lockSpace, type Space } from './spaces.ts';
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

/** Replaces these documents in the index, space by space, always in the same order so that units cannot deadlock. */
export async function applyChanges(
  uow: UnitOfWork,
  embedder: Embedder,
  changes: readonly Change[],
): Promise<void> {
  const bySpace = groupBy(changes, ({ key }) => textKey(key.projectId, key.collection));
  const ordered = [...bySpace.values()].map((ofSpace) => ({ ofSpace, name: spaceName(ofSpace) }));
  for (const { ofSpace } of ordered.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    await applyToSpace(uow, embedder, ofSpace);
  }
}

function spaceName([first]: readonly Change[]): string {
  const { projectId, collection } = (first as Change).key;
  return JSON.stringify([projectId, collection]);
}

async function applyToSpace(uow: UnitOfWork, embedder: Embedder, changes: readonly Change[]): Promise<void> {
  const { projectId, collection } = (changes[0] as Change).key;
  const added = changes.flatMap(({ document, analysis }) =>
    document === undefined ? [] : [{ document, analysis }],
  );
  const space =
    added.length > 0
      ? await lockOrCreateSpace(uow, projectId, collection)
      : await lockSpace(uow, projectId, collection);
  if (space === undefined) return;
  const tally = new Tally(space);
  // Both wait for the server at the same time.
  const [stored, prepared] = await Promise.all([
    selectStored(uow, space, changes),
    prepare(uow, space, added),
  ]);
  await takeOut(uow, stored, tally);
  await putIn(uow, space, prepared, embedder, tally);
  await countTerms(uow, tally.terms);
  await changeSpace(uow, space.space, tally);
}

interface StoredTerms {
  readonly doc: number;
  readonly terms: Uint8Array;
}

function selectStored(uow: UnitOfWork, { space }: Space, changes: readonly Change[]): Promise<StoredTerms[]> {
  const ids = JSON.stringify(changes.map(({ key }) => key.id));
  return uow.all<StoredTerms>(
    `select doc, terms from search_documents where space = ? and id ${engineOf(uow).amongTexts} order by doc`,
    [space, ids],
  );
}

async function takeOut(uow: UnitOfWork, stored: readonly StoredTerms[], tally: Tally): Promise<void> {
  for (const { doc, terms } of stored) {
    const list = decodeTermList(terms);
    const uses = usesOf(list);
    await engineOf(uow).remove(uow, postingOf(doc, list, uses));
    await uow.send('delete from search_documents where doc = ?', [doc]);
    tally.add(list, uses, -1);
  }
}

const documentRows = insertion({
  into: 'search_documents',
  columns: ['space', 'id', 'time', 'terms', 'embedder', 'vectors'],
  returning: 'doc, id',
});
const bodyRows = insertion({ into: 'search_bodies', columns: ['doc', 'body'] });

interface Added {
  readonly document: SearchDocument;
  readonly analysis: PackedAnalysis | undefined;
}

interface Prepared {
  readonly analyzed: readonly Analyzed[];
  /** Of all their words. */
  readonly numbers: ReadonlyMap<string, number>;
}

async function prepare(uow: UnitOfWork, { space }: Space, documents: readonly Added[]): Promise<Prepared> {
  const analyzed: Analyzed[] = [];
  for (const { document, analysis } of documents) {
    await uow.giveTurn();
    const passages = analysis?.passages.map(unpackPassage) ?? analyze(document.fields).passages;
    analyzed.push({ document, passages });
  }
  return { analyzed, numbers: await numberWords(uow, space, wordsOf(analyzed)) };
}

async function putIn(
  uow: UnitOfWork,
  space: Space,
  { analyzed, numbers }: Prepared,
  embedder: Embedder,
  tally: Tally,
): Promise<void> {
  if (analyzed.length === 0) return;
  const entries: Entry[] = [];
  for (const { document, passages } of analyzed) {
    const own = await embedNow(uow, embedder, passages);
    const list = toTermList(document, passages, numbers);
    entries.push({
      id: document.id,
      time: document.time ?? null,
      list,
      uses: usesOf(list),
      own,
      body: writeBody(document.fields, passages),
    });
  }
  const stored = await documentRows.returning<{ doc: number; id: string }>(
    uow,
    entries.map(({ id, time, list, uses, own }) => [
      space.space,
      id,
      time,
      encodeTermList(list, uses),
      own ? embedder.id : null,
      own?.vectors ?? null,
    ]),
  );
  const docs = new Map(stored.map(({ id, doc }) => [id, doc]));
  const docOf = ({ id }: { readonly id: string }) => docs.get(id) as number;
  await bodyRows.run(
    uow,
    entries.map((entry) => [docOf(entry), entry.body]),
  );
  const codes = entries.flatMap((entry) =>
    entry.own ? [{ doc: docOf(entry), codes: entry.own.codes }] : [],
  );
  await writeCodes(uow, space.space, embedder.id, codes);
  await engineOf(uow).add(
    uow,
    entries.map((entry) => postingOf(docOf(entry), entry.list, entry.uses)),
  );
  for (const entry of entries) {
    tally.add(entry.list, entry.uses, 1);
    tally.lastDoc = Math.max(tally.lastDoc, docOf(entry));
  }
  if (embedder.embedNow !== undefined) await moveCursor(uow, space, embedder.id, tally.lastDoc);
}

interface Entry {
  readonly id: string;
  readonly time: number | null;
  readonly list: TermList;
  readonly uses: readonly TermUse[];
  readonly own: DocumentVectors | undefined;
  readonly body: string;
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

/** Only where nothing was left to embed before: the cursor says that every document up to it has its vectors. */
async function moveCursor(uow: UnitOfWork, space: Space, embedder: string, doc: number): Promise<void> {
  const update = 'update search_vector_cursors set doc = ? where space = ? and embedder = ? and doc >= ?';
  const values = [doc, space.space, embedder, space.lastDoc];
  if (space.lastDoc > 0) return uow.send(update, values);
  if ((await uow.run(update, values)) > 0) return;
  await uow.run('insert into search_vector_cursors (space, embedder, doc) values (?, ?, ?)', [
    space.space,
    embedder,
    doc,
  ]);
}

interface Analyzed {
  readonly document: SearchDocument;
  readonly passages: readonly Passage[];
}

function wordsOf(analyzed: readonly Analyzed[]): string[] {
  const words = new Set<string>();
  for (const { document, passages } of analyzed) addWords(words, document, passages);
  return [...words];
}

export function wordsOfDocument(document: SearchDocument, passages: readonly Passage[]): string[] {
  return wordsOf([{ document, passages }]);
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

/** What the changes of one unit add up to. */
class Tally {
  readonly terms = new Map<number, number>();
  documents = 0;
  passages = 0;
  weightedLength = 0;
  plainLength = 0;
  lastDoc: number;

  constructor({ lastDoc }: Space) {
    this.lastDoc = lastDoc;
  }

  add(list: TermList, uses: readonly TermUse[], sign: 1 | -1): void {
    this.documents += sign;
    this.passages += sign * list.passages.length;
    for (const { weight, length } of list.passages) {
      this.weightedLength += sign * weight * length;
      this.plainLength += sign * length;
    }
    for (const term of countedTerms(list, uses)) this.terms.set(term, (this.terms.get(term) ?? 0) + sign);
  }
}
