/** Turns texts into vectors whose cosine measures similarity. */
export interface Embedder {
  /** Names the model and whatever changes its vectors; vectors of another id are never compared with these. */
  readonly id: string;
  /** 0 while it is not known yet. */
  readonly dim: number;
  /** One vector per text, in order, of length 1 (or all zeros for a text unknown to the model). */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  /**
   * Present when embedding needs no I/O: such vectors are written in the unit of work itself. `words` are those of each
   * text (`readText`), from a caller who has them.
   */
  embedNow?(texts: readonly string[], words?: readonly (readonly string[])[]): Float32Array[];
  /** Reads what the first text would have to wait for, giving others their turns. */
  prepare?(): Promise<void>;
  /** Below this cosine, a text that shares no word with the query is not a match. */
  readonly floor: number;
}

/** Scaled to length 1; a zero vector stays as it is. Plain loops: it runs for every passage that is written. */
export function toUnitVector(values: ArrayLike<number>): Float32Array {
  const unit = new Float32Array(values.length);
  let square = 0;
  for (let at = 0; at < values.length; at += 1) square += (values[at] as number) * (values[at] as number);
  if (square === 0) return unit;
  const length = Math.sqrt(square);
  for (let at = 0; at < values.length; at += 1) unit[at] = (values[at] as number) / length;
  return unit;
}
