import type { Database, Reader } from '../storage/database.ts';
import type { DocumentKey, DocumentSource, SearchDocument } from './document.ts';
import { analyze } from './rules/analysis.ts';
import { toTermList, wordsOfDocument } from './store/apply-changes.ts';
import { writeBody } from './store/body.ts';
import { lookUp, selectTermCounts } from './store/dictionary.ts';
import { engineOf } from './store/engine.ts';
import { type IndexedDocument, selectIndexedDocument, selectTermLists } from './store/indexed-text.ts';
import { allSpaces, type Space } from './store/spaces.ts';
import { countedTerms, decodeTermList, encodeTermList, postingOf, type TermList } from './store/term-list.ts';

export type IndexFault =
  | { readonly fault: 'missing' | 'differs' | 'surplus' | 'unfindable'; readonly document: DocumentKey }
  | {
      readonly fault: 'statistics';
      readonly projectId: string;
      readonly collection: string;
      readonly of: string;
    };

export interface IndexReport {
  readonly documents: number;
  readonly faults: readonly IndexFault[];
}

const PAGE = 200;

/**
 * Compares the index with its source in one consistent read: documents that search forgot (`missing`), knows otherwise
 * (`differs`), should have forgotten (`surplus`) or would never propose (`unfindable`), and counts that do not add up.
 */
export async function verifyIndex(db: Database, source: DocumentSource): Promise<IndexReport> {
  return db.read(async (reader) => {
    const spaces = await allSpaces(reader);
    const faults: IndexFault[] = [];
    const expected = await compareWithSource(reader, spaces, source, faults);
    let documents = 0;
    for (const space of spaces) documents += await checkSpace(reader, space, expected, faults);
    return { documents, faults };
  });
}

async function compareWithSource(
  reader: Reader,
  spaces: readonly Space[],
  source: DocumentSource,
  faults: IndexFault[],
): Promise<ReadonlySet<number>> {
  const expected = new Set<number>();
  let after: string | undefined;
  do {
    const page = await source.page(reader, after, PAGE);
    for (const document of page.documents) {
      const doc = await compareDocument(reader, spaces, document, faults);
      if (doc !== undefined) expected.add(doc);
    }
    after = page.next;
  } while (after !== undefined);
  return expected;
}

async function compareDocument(
  reader: Reader,
  spaces: readonly Space[],
  document: SearchDocument,
  faults: IndexFault[],
): Promise<number | undefined> {
  const { projectId, collection, id } = document;
  const space = spaces.find((one) => one.projectId === projectId && one.collection === collection);
  const row = space && (await selectIndexedDocument(reader, space.space, id));
  if (space === undefined || row === undefined) {
    faults.push({ fault: 'missing', document: { projectId, collection, id } });
    return undefined;
  }
  if (!(await isAsIndexed(reader, space, document, row))) {
    faults.push({ fault: 'differs', document: { projectId, collection, id } });
  }
  return row.doc;
}

async function isAsIndexed(
  reader: Reader,
  { space }: Space,
  document: SearchDocument,
  row: IndexedDocument,
): Promise<boolean> {
  const passages = analyze(document.fields);
  if (row.time !== (document.time ?? null) || row.body !== writeBody(document.fields, passages)) return false;
  const entries = await lookUp(reader, [space], wordsOfDocument(document, passages));
  const numbers = new Map(entries.map(({ word, term }) => [word, term]));
  const bytes = encodeTermList(toTermList(document, passages, numbers));
  return bytes.length === row.terms.length && bytes.every((byte, at) => byte === row.terms[at]);
}

async function checkSpace(
  reader: Reader,
  space: Space,
  expected: ReadonlySet<number>,
  faults: IndexFault[],
): Promise<number> {
  const { projectId, collection } = space;
  const engine = engineOf(reader);
  const counted = new Counted();
  let after = 0;
  for (;;) {
    const rows = await selectTermLists(reader, space.space, after, PAGE);
    for (const { doc, id, terms } of rows) {
      const list = decodeTermList(terms);
      const posting = postingOf(doc, list);
      counted.add(list);
      const document = { projectId, collection, id };
      if (!(await engine.holds(reader, posting))) faults.push({ fault: 'unfindable', document });
      if (!expected.has(doc)) faults.push({ fault: 'surplus', document });
    }
    after = rows.at(-1)?.doc ?? after;
    if (rows.length < PAGE) break;
  }
  const wrong = [...counted.differences(space), ...(await wrongTerms(reader, space, counted))];
  for (const of of wrong) faults.push({ fault: 'statistics', projectId, collection, of });
  return counted.documents;
}

async function wrongTerms(reader: Reader, { space }: Space, { terms }: Counted): Promise<string[]> {
  const counts = await selectTermCounts(reader, space);
  const numbers = new Set([...terms.keys(), ...counts.keys()]);
  return [...numbers].some((term) => terms.get(term) !== counts.get(term)) ? ['terms'] : [];
}

/** The statistics of a space as its documents give them. */
class Counted {
  readonly terms = new Map<number, number>();
  documents = 0;
  passages = 0;
  weightedLength = 0;
  plainLength = 0;

  add(list: TermList): void {
    this.documents += 1;
    this.passages += list.passages.length;
    for (const { weight, length } of list.passages) {
      this.weightedLength += weight * length;
      this.plainLength += length;
    }
    for (const term of countedTerms(list)) this.terms.set(term, (this.terms.get(term) ?? 0) + 1);
  }

  differences(space: Space): string[] {
    const keys = ['documents', 'passages', 'weightedLength', 'plainLength'] as const;
    return keys.filter((key) => this[key] !== space[key]);
  }
}
