/** What imports return: counts, and lists of remarks. */
export type Counts = Readonly<Record<string, unknown>>;

const MOST_REMARKS = 100;

export function addCounts(a: Counts, b: Counts): Counts {
  const total: Record<string, unknown> = { ...a };
  for (const [name, value] of Object.entries(b)) {
    const before = total[name];
    if (typeof value === 'number') total[name] = value + (typeof before === 'number' ? before : 0);
    else if (Array.isArray(value))
      total[name] = [...(Array.isArray(before) ? before : []), ...value].slice(0, MOST_REMARKS);
  }
  return total;
}

const UNSAID = ['unchanged', 'projects'];

/** `2 packages, 1 fact`; undefined if nothing came. */
export function countsInWords(counts: Counts): string | undefined {
  const parts = Object.entries(counts).flatMap(([name, count]) =>
    typeof count === 'number' && count > 0 && !UNSAID.includes(name)
      ? [`${count} ${count === 1 ? name.replace(/s$/, '') : name}`]
      : [],
  );
  return parts.length > 0 ? parts.join(', ') : undefined;
}
