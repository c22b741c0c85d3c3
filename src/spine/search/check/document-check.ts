import { reportFault } from '../../journal/verify/report-derived.ts';
import type { SearchDocument } from '../document.ts';
import { analyze, type Passage } from '../rules/analysis.ts';
import { toTermList, wordsOfDocument } from '../store/apply-changes.ts';
import { writeBody } from '../store/body.ts';
import { type StoredDocument, selectStoredDocuments, selectUnknownTerms } from '../store/check-store.ts';
import { lookUp } from '../store/dictionary.ts';
import { type DocumentVectors, packDocument } from '../store/document-vectors.ts';
import { engineOf, type Posting } from '../store/engine.ts';
import {
  countedTerms,
  decodeTermList,
  encodeTermList,
  postingOf,
  type TermList,
  usesOf,
} from '../store/term-list.ts';
import type { IndexCheck, SpaceTally } from './index-check.ts';

/** Compares documents of one space with what the index holds of them, and counts them. */
export async function checkDocuments(
  check: IndexCheck,
  tally: SpaceTally,
  documents: readonly SearchDocument[],
): Promise<void> {
  const { reader, faults } = check;
  const { space, projectId, collection } = tally.space;
  const ids = documents.map(({ id }) => id);
  const stored = new Map((await selectStoredDocuments(reader, space, ids)).map((row) => [row.id, row]));
  const analyzed = documents.map((document) => ({
    document,
    passages: passagesAsStored(document, stored.get(document.id)),
  }));
  const words = new Set(analyzed.flatMap(({ document, passages }) => wordsOfDocument(document, passages)));
  const entries = await lookUp(reader, [space], [...words]);
  const numbers = new Map(entries.map(({ word, term }) => [word, term]));
  const postings: Posting[] = [];
  for (const { document, passages } of analyzed) {
    const list = toTermList(document, passages, numbers);
    count(check, tally, list);
    const row = stored.get(document.id);
    if (row === undefined) {
      reportFault(faults, 'derived_missing', 'search_documents', projectId, collection, document.id);
      continue;
    }
    check.docs.add(row.doc);
    tally.lastDoc = Math.max(tally.lastDoc, row.doc);
    const compared = { document, passages, list, row };
    await compareDocument(check, tally, { ...compared, own: vectorsOf(check, compared) });
    postings.push(postingOf(row.doc, list));
  }
  for (const { terms, strong } of postings) {
    for (const term of terms) check.posted.add(term);
    for (const term of strong) check.strong.add(term);
  }
  for (const doc of await engineOf(reader).wrongPostings(reader, postings)) {
    reportFault(faults, 'derived_changed', 'search_postings', doc);
  }
}

/** A conversation that was indexed before its turns were told apart stays as it is until it is written again. */
function passagesAsStored({ fields }: SearchDocument, row: StoredDocument | undefined): readonly Passage[] {
  const { passages } = analyze(fields);
  if (row === undefined || row.body === null || row.body === writeBody(fields, passages)) return passages;
  const before = analyze(fields, false).passages;
  return row.body === writeBody(fields, before) ? before : passages;
}

function count({ terms }: IndexCheck, tally: SpaceTally, list: TermList): void {
  tally.documents += 1;
  tally.passages += list.passages.length;
  for (const { weight, length } of list.passages) {
    tally.weightedLength += weight * length;
    tally.plainLength += length;
  }
  for (const term of countedTerms(list)) terms.add(term);
}

interface Compared {
  readonly document: SearchDocument;
  readonly passages: readonly Passage[];
  readonly list: TermList;
  readonly row: StoredDocument;
  /** The vectors that it should have, if they can be made again. */
  readonly own: DocumentVectors | undefined;
}

async function compareDocument(check: IndexCheck, tally: SpaceTally, compared: Compared): Promise<void> {
  const { document, passages, list, row } = compared;
  const { faults } = check;
  const { projectId, collection } = tally.space;
  const sameTerms = areSame(encodeTermList(list, usesOf(list)), row.terms);
  if (row.time !== (document.time ?? null) || !sameTerms || !hasVectors(check, tally, compared)) {
    reportFault(faults, 'derived_changed', 'search_documents', projectId, collection, document.id);
  }
  if (!sameTerms) await reportUnknownTerms(check, row);
  const body = writeBody(document.fields, passages);
  if (row.body === null) reportFault(faults, 'derived_missing', 'search_bodies', row.doc);
  else if (row.body !== body) reportFault(faults, 'derived_changed', 'search_bodies', row.doc);
  compareCodes(check, tally, compared);
}

/** Vectors of the embedder that comes with Baton are made again; of another, only that they are there. */
function hasVectors({ cursors }: IndexCheck, { space }: SpaceTally, compared: Compared): boolean {
  const { passages, row, own } = compared;
  if (row.embedder === null) {
    const cursor = cursors.get(space.space);
    const follows = cursor !== undefined && cursor.doc >= row.doc;
    return row.vectors === null && (passages.length === 0 || !follows);
  }
  return row.vectors !== null && (own === undefined || areSame(own.vectors, row.vectors));
}

function compareCodes({ faults }: IndexCheck, { space }: SpaceTally, { row, own }: Compared): void {
  if (row.embedder === null) {
    if (row.codes !== null) reportFault(faults, 'derived_surplus', 'search_codes', row.doc);
    return;
  }
  if (row.codes === null) {
    reportFault(faults, 'derived_missing', 'search_codes', row.doc);
    return;
  }
  const same =
    row.codes_space === space.space &&
    row.codes_embedder === row.embedder &&
    (own === undefined || areSame(own.codes, row.codes));
  if (!same) reportFault(faults, 'derived_changed', 'search_codes', row.doc);
}

/** Undefined if they were made by another embedder, or cannot be made at once. */
function vectorsOf({ embedder }: IndexCheck, { passages, row }: Omit<Compared, 'own'>) {
  if (row.embedder !== embedder.id || embedder.embedNow === undefined) return undefined;
  const texts = passages.map(({ text }) => text);
  const words = passages.map((passage) => passage.words);
  return packDocument(texts, embedder.embedNow(texts, words));
}

/** Numbers in a document's list that the dictionary does not have any more. */
async function reportUnknownTerms({ reader, faults }: IndexCheck, { terms }: StoredDocument): Promise<void> {
  for (const term of await selectUnknownTerms(reader, [...countedTerms(decoded(terms))])) {
    reportFault(faults, 'derived_missing', 'search_terms', term);
  }
}

function decoded(bytes: Uint8Array): TermList {
  try {
    return decodeTermList(bytes);
  } catch {
    return { passages: [], attributes: [], stops: [] };
  }
}

function areSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
