/** Recall of one retriever over questions, by group. */
export interface Recall {
  readonly questions: number;
  readonly any5: number;
  readonly all5: number;
  readonly any10: number;
}

export class RecallTally {
  readonly #groups = new Map<string, { questions: number; any5: number; all5: number; any10: number }>();

  add(groups: readonly string[], ranked: readonly string[], gold: ReadonlySet<string>): void {
    const top5 = new Set(ranked.slice(0, 5));
    const top10 = new Set(ranked.slice(0, 10));
    for (const group of groups) {
      const sum = this.#groups.get(group) ?? { questions: 0, any5: 0, all5: 0, any10: 0 };
      sum.questions += 1;
      sum.any5 += Number([...gold].some((id) => top5.has(id)));
      sum.all5 += Number([...gold].every((id) => top5.has(id)));
      sum.any10 += Number([...gold].some((id) => top10.has(id)));
      this.#groups.set(group, sum);
    }
  }

  /** Percentages with one decimal. */
  results(): Record<string, Recall> {
    const percent = (part: number, whole: number) => Math.round((1000 * part) / whole) / 10;
    return Object.fromEntries(
      [...this.#groups].map(([group, { questions, any5, all5, any10 }]) => [
        group,
        {
          questions,
          any5: percent(any5, questions),
          all5: percent(all5, questions),
          any10: percent(any10, questions),
        },
      ]),
    );
  }
}
