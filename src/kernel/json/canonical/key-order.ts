const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;
const SHORT_LIST = 24;

/** `<` compares UTF-16 units, which is Unicode order except that surrogates stand below U+E000 to U+FFFF. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left === right) continue;
    if (left >= FIRST_SURROGATE && right >= FIRST_SURROGATE) {
      const leftAstral = left <= LAST_SURROGATE;
      if (leftAstral !== right <= LAST_SURROGATE) return leftAstral ? 1 : -1;
    }
    return left - right;
  }
  return a.length - b.length;
}

/** In place, by UTF-16 units. Most objects are small or sorted already, where insertion beats the general sort. */
export function sortByUnits(keys: string[]): void {
  if (keys.length > SHORT_LIST) {
    keys.sort();
    return;
  }
  for (let next = 1; next < keys.length; next += 1) {
    const key = keys[next] as string;
    let at = next - 1;
    while (at >= 0 && (keys[at] as string) > key) {
      keys[at + 1] = keys[at] as string;
      at -= 1;
    }
    keys[at + 1] = key;
  }
}
