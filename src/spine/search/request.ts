import type { Micros } from '../../kernel/clock.ts';

/** Documents of one project or of several, which are then one corpus; the caller has checked that they may be read. */
export type SearchRequest = SearchQuery &
  ({ readonly projectId: string } | { readonly projectIds: readonly string[] });

export interface SearchQuery {
  /** Every collection, if absent. */
  readonly collections?: readonly string[];
  readonly query: string;
  /** Ten, if absent; at most 200. */
  readonly limit?: number;
  readonly filter?: SearchFilter;
  /** Only documents not later than this. */
  readonly asOf?: Micros;
  /** What `last week` in the query is counted from: `asOf`, or the time of the search, if absent. */
  readonly now?: Micros;
  /**
   * The query's vector, from `embedQuery`. With an embedder that needs I/O it is made before the read begins;
   * without it such a search goes by words alone.
   */
  readonly vector?: Float32Array;
}

export interface SearchFilter {
  /** For each name, the value or any of the values that the document's attribute must have. */
  readonly attributes?: Readonly<Record<string, string | readonly string[]>>;
  /** Only documents with these ids. */
  readonly ids?: readonly string[];
}

export interface SearchHit {
  readonly projectId: string;
  readonly collection: string;
  readonly id: string;
  /** 0 to about 1; comparable only within one result. */
  readonly score: number;
  /** What words and dates gave and what vectors gave; together the score. */
  readonly parts: { readonly text: number; readonly vector: number };
  /** The cosine of the nearest passage with the query, if both have vectors; comparable between results. */
  readonly similarity?: number;
  readonly reasons: {
    /** Terms of the query that it has, and terms that the best documents have in common; the rarest first, as stems. */
    readonly terms: readonly string[];
    readonly related: readonly string[];
    /** Whether it is of a time that the query names, or near one. */
    readonly date: boolean;
    /** Whether what was said around it counted. */
    readonly neighbour: boolean;
  };
  /** When it was said or done, if it has a time. */
  readonly time?: Micros;
  readonly best: {
    /** Which of the document's fields has the best match, as a place in the list given to `index`. */
    readonly chunk: number;
    readonly field: string;
    readonly snippet: string;
    /** The whole stretch of text that matched best. */
    readonly passage: string;
  };
}
