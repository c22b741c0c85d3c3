const encoder = new TextEncoder();

/**
 * ASCII text that is looked for in bytes, eight at a time. They are read as floats, the widest numbers that need no
 * allocation; no eight ASCII bytes make a NaN, so that equal floats are equal bytes.
 */
export interface ByteSegment {
  readonly length: number;
  readonly view: DataView;
}

export function byteSegment(text: string): ByteSegment {
  const bytes = encoder.encode(text);
  return { length: bytes.length, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

/** The bytes viewed must go on for at least the segment's length from there. */
export function standsAt(view: DataView, at: number, segment: ByteSegment): boolean {
  const { length, view: wanted } = segment;
  if (at + length > view.byteLength) return false;
  let step = 0;
  for (; step + 8 <= length; step += 8) {
    if (view.getFloat64(at + step, true) !== wanted.getFloat64(step, true)) return false;
  }
  for (; step < length; step += 1) {
    if (view.getUint8(at + step) !== wanted.getUint8(step)) return false;
  }
  return true;
}

/** Copies ASCII and answers the offset behind what was written. */
export function copyBytes(from: DataView, start: number, end: number, to: DataView, toAt: number): number {
  const shift = toAt - start;
  let at = start;
  for (; at + 8 <= end; at += 8) to.setFloat64(at + shift, from.getFloat64(at, true), true);
  for (; at < end; at += 1) to.setUint8(at + shift, from.getUint8(at));
  return end + shift;
}
