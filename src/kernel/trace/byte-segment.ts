const encoder = new TextEncoder();

/** ASCII text that is looked for in bytes, four at a time. */
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
  for (; step + 4 <= length; step += 4) {
    if (view.getInt32(at + step, true) !== wanted.getInt32(step, true)) return false;
  }
  for (; step < length; step += 1) {
    if (view.getUint8(at + step) !== wanted.getUint8(step)) return false;
  }
  return true;
}

/** Answers the offset behind what was written. */
export function copyBytes(from: DataView, start: number, end: number, to: DataView, toAt: number): number {
  const shift = toAt - start;
  let at = start;
  for (; at + 4 <= end; at += 4) to.setInt32(at + shift, from.getInt32(at, true), true);
  for (; at < end; at += 1) to.setUint8(at + shift, from.getUint8(at));
  return end + shift;
}
