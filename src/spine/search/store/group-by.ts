export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** One text for several, different for different ones by the lengths in front. JSON would look at every character. */
export function textKey(...texts: readonly string[]): string {
  return `${texts.map(({ length }) => length).join(' ')}:${texts.join('')}`;
}
