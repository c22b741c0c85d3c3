// For speed: reading a package takes 1.45 times as long when every key is cut out of the text.
const SLOTS = 1024;
const LONGEST = 48;

const slots: string[] = new Array(SLOTS).fill('');

/**
 * The key that stands there. Documents repeat few keys, and to find one that the engine knows is cheaper than to cut it
 * out and have the engine look it up. The table has a fixed size; a collision only costs the cut.
 */
export function knownKey(text: string, start: number, end: number): string {
  const length = end - start;
  if (length === 0 || length > LONGEST) return text.slice(start, end);
  const mixed = text.charCodeAt(start) * 31 + text.charCodeAt(end - 1) * 7 + length * 131;
  const known = slots[mixed % SLOTS] as string;
  if (known.length === length && text.startsWith(known, start)) return known;
  const key = text.slice(start, end);
  slots[mixed % SLOTS] = key;
  return key;
}
