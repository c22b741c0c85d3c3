const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

export function encodeBase58(bytes: Uint8Array): string {
  let value = 0n;
  for (const byte of bytes) value = value * 256n + BigInt(byte);
  let text = '';
  for (; value > 0n; value /= 58n) text = ALPHABET.charAt(Number(value % 58n)) + text;
  let zeros = 0;
  while (zeros < bytes.length && bytes[zeros] === 0) zeros += 1;
  return '1'.repeat(zeros) + text;
}

export function decodeBase58(text: string): Uint8Array | undefined {
  if (text.length > 128) return undefined;
  let value = 0n;
  for (const letter of text) {
    const digit = ALPHABET.indexOf(letter);
    if (digit < 0) return undefined;
    value = value * 58n + BigInt(digit);
  }
  const bytes: number[] = [];
  for (; value > 0n; value /= 256n) bytes.unshift(Number(value % 256n));
  const zeros = /^1*/.exec(text)?.[0].length ?? 0;
  return Uint8Array.from([...new Array<number>(zeros).fill(0), ...bytes]);
}

/** `z` and base58btc; the prefix 0xed01, for Ed25519, may be missing. */
export function ed25519FromMultibase(text: string): Uint8Array | undefined {
  const bytes = text.startsWith('z') ? decodeBase58(text.slice(1)) : undefined;
  if (!bytes) return undefined;
  if (bytes.length === 34 && bytes[0] === 0xed && bytes[1] === 0x01) return bytes.subarray(2);
  return bytes.length === 32 ? bytes : undefined;
}

export function ed25519ToMultibase(publicKey: Uint8Array): string {
  return `z${encodeBase58(Uint8Array.from([0xed, 0x01, ...publicKey]))}`;
}
