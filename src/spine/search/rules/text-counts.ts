/** What one text, or several in a row, have of a query's terms, passage by passage. */
export interface TextCounts {
  /** By passage: how much it counts, and its length in terms. */
  readonly weights: readonly number[];
  readonly lengths: readonly number[];
  /** By passage, then by term of the query: how often, times the passage's weight. */
  readonly frequencies: Float64Array;
  /** By passage: how many of its words are of a speaker about themselves. */
  readonly ownWords: readonly number[];
}

/** Several texts read as one. */
export function joinCounts(texts: readonly TextCounts[]): TextCounts {
  const [only] = texts;
  if (only !== undefined && texts.length === 1) return only;
  const frequencies = new Float64Array(texts.reduce((sum, text) => sum + text.frequencies.length, 0));
  let at = 0;
  for (const text of texts) {
    frequencies.set(text.frequencies, at);
    at += text.frequencies.length;
  }
  return {
    weights: texts.flatMap(({ weights }) => weights),
    lengths: texts.flatMap(({ lengths }) => lengths),
    ownWords: texts.flatMap(({ ownWords }) => ownWords),
    frequencies,
  };
}

export function lengthOf({ weights, lengths }: TextCounts): number {
  let length = 0;
  for (let at = 0; at < lengths.length; at += 1) length += (weights[at] as number) * (lengths[at] as number);
  return length;
}
