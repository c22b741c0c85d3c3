/** `*` is any run of characters, `?` one code point, everything else itself; the whole text must match. */
export function globMatcher(pattern: string): (text: string) => boolean {
  const parts = Array.from(pattern);
  if (!parts.includes('*') && !parts.includes('?')) return (text) => text === pattern;
  if (pattern === '*') return () => true;
  return (text) => matches(parts, text.length === 0 ? [] : Array.from(text), isOne);
}

/**
 * Whether everything that `inner` matches, `outer` matches too. It may say no where a cleverer reading of two patterns
 * would say yes, never the other way round.
 */
export function globCovers(outer: string, inner: string): boolean {
  return matches(Array.from(outer), Array.from(inner), isOneInPattern);
}

const isOne = (part: string, char: string) => part === '?' || part === char;

/** A star of the inner pattern stands for any run, so that only a star of the outer one has room for it. */
const isOneInPattern = (part: string, char: string) => char !== '*' && (part === '?' || part === char);

/** Goes back only to the last star, so that no pattern takes more than pattern times text steps. */
function matches(
  pattern: readonly string[],
  text: readonly string[],
  takes: (part: string, char: string) => boolean,
): boolean {
  let at = 0;
  let part = 0;
  let star = -1;
  let starText = 0;
  for (let char = text[at]; char !== undefined; char = text[at]) {
    const wanted = pattern[part];
    if (wanted === '*') {
      star = part;
      starText = at;
      part += 1;
    } else if (wanted !== undefined && takes(wanted, char)) {
      part += 1;
      at += 1;
    } else if (star >= 0) {
      starText += 1;
      at = starText;
      part = star + 1;
    } else {
      return false;
    }
  }
  while (pattern[part] === '*') part += 1;
  return part === pattern.length;
}
