/** Turns texts into vectors whose cosine says how alike they are. */
export interface Embedder {
  /** Names the model and whatever changes its vectors; vectors of another id are never compared with these. */
  readonly id: string;
  /** 0 while it is not known yet. */
  readonly dim: number;
  /** One vector per text, in order, of length 1 (or all zeros for a text that says nothing to the model). */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  /**
   * Present when embedding needs no I/O: such vectors are written in the unit of work itself. `words` are those of each
   * text (`readText`), from a caller who has them.
   */
  embedNow?(texts: readonly string[], words?: readonly (readonly string[])[]): Float32Array[];
  /** The cosine below which a text that shares no word with the query is no answer to it. */
  readonly floor: number;
}
