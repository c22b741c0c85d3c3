/** One text for several, different for different ones by the lengths in front. JSON would look at every character. */
export function textKey(...texts: readonly string[]): string {
  return `${texts.map(({ length }) => length).join(' ')}:${texts.join('')}`;
}
