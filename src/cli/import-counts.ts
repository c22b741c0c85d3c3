/** What imports answer: numbers of things, and lists of remarks. */
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
