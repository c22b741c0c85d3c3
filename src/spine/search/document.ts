import type { Micros } from '../../kernel/clock.ts';
import type { Reader } from '../storage/database.ts';

export interface SearchField {
  /** Returned with a hit whose best match is in this field, e.g. `title` or `turn`. */
  readonly name: string;
  readonly text: string;
  /** Counts the text this many times; 1 by default, kept in quarters. */
  readonly weight?: number;
}

/** What a slice gives to search about one of its things. */
export interface SearchDocument extends DocumentKey {
  /** In reading order. A long text is split into passages; turns of a conversation are fields of their own. */
  readonly fields: readonly SearchField[];
  /** When it was said or done: `asOf` and dates in a query are compared with it. */
  readonly time?: Micros;
  /** What a search may filter by. */
  readonly attributes?: Readonly<Record<string, string>>;
}

export interface DocumentKey {
  readonly projectId: string;
  /** The slice's name for this kind of thing, e.g. `package` or `fact`. */
  readonly collection: string;
  readonly id: string;
}

/** The source of truth for the index, read page by page in an order of its own. */
export interface DocumentSource {
  page(reader: Reader, after: string | undefined, limit: number): Promise<SourcePage>;
}

export interface SourcePage {
  readonly documents: readonly SearchDocument[];
  /** Passed as the next `after`; undefined at the end. */
  readonly next: string | undefined;
}

/** A source that reads rows in the order of a key, which its pages go on behind. */
export function pagedSource<Key extends readonly (string | number)[]>(
  read: (
    reader: Reader,
    after: Key | undefined,
    limit: number,
  ) => Promise<readonly { readonly at: Key; readonly document: SearchDocument }[]>,
): DocumentSource {
  return {
    async page(reader, after, limit) {
      const rows = await read(reader, after === undefined ? undefined : (JSON.parse(after) as Key), limit);
      const last = rows.length < limit ? undefined : rows.at(-1);
      return { documents: rows.map(({ document }) => document), next: last && JSON.stringify(last.at) };
    },
  };
}
