/** Replaces what must not be told in bytes that come piece by piece. */
export interface EchoFilter {
  /** What of the bytes so far can go on. */
  push(piece: Uint8Array): Uint8Array;
  /** What was held back, because a secret might have begun in it. */
  rest(): Uint8Array;
}

const HIDDEN = Buffer.from('__REDACTED__');
/** A shorter one would be found in texts that have nothing to do with it. */
const LEAST_LENGTH = 8;
const NONE = new Uint8Array();

/**
 * An agent may say what it was sent, in an error above all, and its callers are not to learn the relay's credential.
 * Undefined where there is nothing to hide.
 */
export function createEchoFilter(secrets: readonly string[]): (() => EchoFilter) | undefined {
  const spelled = secrets
    .filter(({ length }) => length >= LEAST_LENGTH)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
  const needles = [...new Set(spelled)].map((secret) => Buffer.from(secret));
  if (needles.length === 0) return undefined;
  const longest = Math.max(...needles.map(({ length }) => length));

  function hidden(bytes: Buffer): Buffer {
    let left = bytes;
    for (const needle of needles) {
      const parts: Buffer[] = [];
      let from = 0;
      for (let at = left.indexOf(needle); at >= 0; at = left.indexOf(needle, from)) {
        parts.push(left.subarray(from, at), HIDDEN);
        from = at + needle.length;
      }
      if (from > 0) left = Buffer.concat([...parts, left.subarray(from)]);
    }
    return left;
  }

  /** How much of the end may be the beginning of a secret. */
  function openEnd(bytes: Buffer): number {
    for (let length = Math.min(longest - 1, bytes.length); length > 0; length -= 1) {
      const end = bytes.subarray(bytes.length - length);
      if (needles.some((needle) => needle.length > length && needle.subarray(0, length).equals(end)))
        return length;
    }
    return 0;
  }

  return () => {
    let held: Uint8Array = NONE;
    return {
      push(piece) {
        const whole = hidden(
          held.length > 0
            ? Buffer.concat([held, piece])
            : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength),
        );
        const open = openEnd(whole);
        held = Uint8Array.from(whole.subarray(whole.length - open));
        return whole.subarray(0, whole.length - open);
      },
      rest() {
        const last = held;
        held = NONE;
        return last;
      },
    };
  };
}

export function hideEcho(text: string, filter: () => EchoFilter): string {
  const { push, rest } = filter();
  return Buffer.concat([push(Buffer.from(text)), rest()]).toString();
}
