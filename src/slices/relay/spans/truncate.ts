const MAX_ATTRIBUTE_BYTES = 64 * 1024;

const MARKER = '…[truncated]';
const encoder = new TextEncoder();

export interface Truncated {
  readonly text: string;
  /** How many bytes of UTF-8 were cut off. */
  readonly cut: number;
}

/** Cuts between code points, so that what is left is text. */
export function truncateText(text: string, maxBytes = MAX_ATTRIBUTE_BYTES): Truncated {
  if (text.length * 3 <= maxBytes) return { text, cut: 0 };
  const bytes = encoder.encode(text);
  if (bytes.length <= maxBytes) return { text, cut: 0 };
  let end = Math.max(0, maxBytes - encoder.encode(MARKER).length);
  while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end -= 1;
  return { text: new TextDecoder().decode(bytes.subarray(0, end)) + MARKER, cut: bytes.length - end };
}
