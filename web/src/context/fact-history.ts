import type { Fact } from './queries.ts';

export interface FactHistory {
  readonly key: string;
  readonly subject: string;
  readonly predicate: string;
  /** What is true now, or the last that was. */
  readonly latest: Fact;
  readonly past: readonly Fact[];
}

/** Facts of one subject and predicate are the values of one thing over time; newest first. */
export function factHistories(facts: readonly Fact[]): FactHistory[] {
  const groups = new Map<string, Fact[]>();
  for (const fact of facts) {
    const key = JSON.stringify([fact.subject, fact.predicate]);
    groups.set(key, [...(groups.get(key) ?? []), fact]);
  }
  return [...groups].flatMap(([key, members]) => {
    const [latest, ...past] = members.toSorted((a, b) => (a.valid_from < b.valid_from ? 1 : -1));
    return latest ? [{ key, subject: latest.subject, predicate: latest.predicate, latest, past }] : [];
  });
}
