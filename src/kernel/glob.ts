/** `*` is any run of characters, `?` one code point, everything else itself; the whole text must match. */
export function globMatcher(pattern: string): (text: string) => boolean {
  const parts = Array.from(pattern);
  if (!parts.includes('*') && !parts.includes('?')) return (text) => text === pattern;
  if (pattern === '*') return () => true;
  return (text) => matches(parts, text.length === 0 ? [] : Array.from(text));
}

/** Goes back only to the last star, so that no pattern takes more than pattern times text steps. */
function matches(pattern: readonly string[], text: readonly string[]): boolean {
  let at = 0;
  let part = 0;
  let star = -1;
  let starText = 0;
  while (at < text.length) {
    if (pattern[part] === '*') {
      star = part;
      starText = at;
      part += 1;
    } else if (part < pattern.length && (pattern[part] === '?' || pattern[part] === text[at])) {
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
