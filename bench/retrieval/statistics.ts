/** What a share measured on few questions says of all questions. */

/** Wilson's interval of 95 %, in percent. */
export function interval(hits: number, of: number): readonly [number, number] {
  if (of === 0) return [0, 100];
  const z = 1.96;
  const share = hits / of;
  const centre = share + (z * z) / (2 * of);
  const spread = z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  const scale = 100 / (1 + (z * z) / of);
  return [(centre - spread) * scale, (centre + spread) * scale];
}

export interface Outcome {
  readonly any5: boolean;
  readonly all5: boolean;
  readonly any10: boolean;
}

export function outcomeOf(ranked: readonly string[], gold: ReadonlySet<string>): Outcome {
  const top5 = new Set(ranked.slice(0, 5));
  const top10 = new Set(ranked.slice(0, 10));
  return {
    any5: [...gold].some((id) => top5.has(id)),
    all5: [...gold].every((id) => top5.has(id)),
    any10: [...gold].some((id) => top10.has(id)),
  };
}

const FOLDS = 5;

/**
 * What a choice among the variants is worth on questions that it was not made on: on each fold, the variant that is the
 * best by `worth` on the others. Questions of one group, such as a conversation, are never in two folds.
 */
export function crossValidated(
  variants: ReadonlyMap<string, readonly Outcome[]>,
  groups: readonly string[],
  worth: (outcomes: readonly Outcome[]) => number,
): { readonly outcomes: readonly Outcome[]; readonly chosen: readonly string[] } {
  // In an order of their own: the folds are the same in whatever parts the run was made.
  const names = [...new Set(groups)].sort();
  const foldOf = (at: number) => names.indexOf(groups[at] as string) % Math.min(FOLDS, names.length);
  const outcomes: Outcome[] = [];
  const chosen: string[] = [];
  for (let fold = 0; fold < Math.min(FOLDS, names.length); fold += 1) {
    const ranked = [...variants].map(([name, all]) => {
      const elsewhere = all.filter((_, at) => foldOf(at) !== fold);
      return { name, here: all.filter((_, at) => foldOf(at) === fold), worth: worth(elsewhere) };
    });
    ranked.sort((a, b) => b.worth - a.worth);
    chosen.push(ranked[0]?.name ?? '');
    outcomes.push(...(ranked[0]?.here ?? []));
  }
  return { outcomes, chosen };
}
