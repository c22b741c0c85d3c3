interface Category {
  readonly category: string;
  readonly sensitivity: string;
}

interface Classed {
  readonly category?: string | undefined;
  readonly sensitivity?: string | undefined;
}

/** What a memory says of itself, or else the nearest category above it. */
export function sensitivityOf(memory: Classed, categories: readonly Category[]): string {
  if (memory.sensitivity) return memory.sensitivity;
  const own = memory.category ?? '';
  const above = categories
    .filter(({ category }) => own === category || own.startsWith(`${category}.`))
    .toSorted((a, b) => b.category.length - a.category.length);
  return above[0]?.sensitivity ?? 'standard';
}
