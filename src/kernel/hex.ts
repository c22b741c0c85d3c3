const BYTE_TO_HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
);

export function hexOfByte(byte: number): string {
  return BYTE_TO_HEX[byte] as string;
}

export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 1) text += BYTE_TO_HEX[bytes[at] as number];
  return text;
}

/** Undefined unless the text is pairs of hex digits. */
export function fromHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) return undefined;
  const bytes = new Uint8Array(text.length / 2);
  for (let at = 0; at < bytes.length; at += 1) {
    bytes[at] = Number.parseInt(text.slice(2 * at, 2 * at + 2), 16);
  }
  return bytes;
}
