import type { Reader } from '../../storage/database.ts';
import { CodeBook, MAX_CODES } from '../vectors/code-book.ts';
import { signCode } from '../vectors/sign-code.ts';
import { engineOf } from './engine.ts';

const ROWS_AT_ONCE = 5_000;

/**
 * Proposes documents near the query that may share no word with it. Codes are kept in memory per space and brought up
 * to date by row number at each search; documents that are gone since do no harm, because nothing is answered from
 * here. One for each store.
 */
export class VectorProposer {
  readonly #books = new Map<string, CodeBook>();

  async propose(
    reader: Reader,
    spaces: readonly number[],
    embedder: string,
    query: Float32Array,
    wanted: number,
  ): Promise<number[]> {
    const code = signCode(query);
    const found: (readonly [distance: number, doc: number])[] = [];
    for (const space of spaces) {
      const book = await this.#book(reader, space, embedder);
      for (const pair of book.nearest(code, wanted)) found.push(pair);
    }
    found.sort(([a, docA], [b, docB]) => a - b || docB - docA);
    return [...new Set(found.map(([, doc]) => doc))].slice(0, wanted);
  }

  /** After many removals most of what is proposed is gone: then it is better to read the codes again. */
  forget(spaces: readonly number[], embedder: string): void {
    for (const space of spaces) this.#books.delete(`${space} ${embedder}`);
  }

  async #book(reader: Reader, space: number, embedder: string): Promise<CodeBook> {
    const key = `${space} ${embedder}`;
    const known = this.#books.get(key);
    // Inside a unit of work rows may still be rolled back, and nothing slow may be read.
    if ('memo' in reader) return known ?? new CodeBook();
    const book = known ?? new CodeBook();
    if (known === undefined) book.seq = await startOf(reader, space, embedder);
    await readOn(reader, space, embedder, book);
    this.#books.set(key, book);
    return book;
  }
}

async function startOf(reader: Reader, space: number, embedder: string): Promise<number> {
  const row = await reader.get<{ seq: number }>(
    `select seq from search_codes where space = ? and embedder = ? order by seq desc limit 1 offset ${MAX_CODES}`,
    [space, embedder],
  );
  return row?.seq ?? 0;
}

async function readOn(reader: Reader, space: number, embedder: string, book: CodeBook): Promise<void> {
  const { many, manyBytes } = engineOf(reader);
  for (;;) {
    const after = book.seq;
    const page = await reader.get<{ seqs: string; docs: string; codes: string }>(
      `select ${many('seq')} as seqs, ${many('doc')} as docs, ${manyBytes('codes')} as codes from (
         select seq, doc, codes from search_codes
         where space = ? and embedder = ? and seq > ? order by seq limit ${ROWS_AT_ONCE}) as page`,
      [space, embedder, after],
    );
    const docs = JSON.parse(page?.docs ?? '[]') as number[];
    if (docs.length === 0) return;
    // Another search has read the same page meanwhile.
    if (book.seq !== after) continue;
    const codes = JSON.parse(page?.codes ?? '[]') as string[];
    for (const [at, doc] of docs.entries()) book.add(doc, codes[at] as string);
    book.seq = Math.max(...(JSON.parse(page?.seqs ?? '[]') as number[]));
    if (docs.length < ROWS_AT_ONCE) return;
  }
}
