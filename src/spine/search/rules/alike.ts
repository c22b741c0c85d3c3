import { termsIn } from './tokenize.ts';

export interface AlikePair {
  /** Places in the list that was given; the earlier one first. */
  readonly one: number;
  readonly other: number;
  /** The share of stems that they have in common; 1 is the same words, in whatever order. */
  readonly share: number;
}

/** Two texts that share this much say the same, or one of them was said again with something changed. */
const ALIKE = 0.8;
/** Texts that share this many stems and more of a hundred have one of their rarest in common, nearly always. */
const RAREST = 4;
/** A stem that stands in more texts tells nothing. */
const MOST_WITH_IT = 60;

/** Pairs of texts that are alike, without comparing each with each: only those that share one of their rarest stems. */
export function alikePairs(texts: readonly string[], least = ALIKE): AlikePair[] {
  const stems = texts.map((text) => new Set(termsIn(text)));
  const counts = new Map<string, number>();
  for (const set of stems) for (const stem of set) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const withIt = new Map<string, number[]>();
  const pairs: AlikePair[] = [];
  for (const [other, set] of stems.entries()) {
    const rarest = [...set].sort((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0)).slice(0, RAREST);
    const near = new Set(rarest.flatMap((stem) => withIt.get(stem) ?? []));
    for (const one of near) {
      const share = shareOf(stems[one] as ReadonlySet<string>, set);
      if (share >= least) pairs.push({ one, other, share });
    }
    for (const stem of rarest) {
      const list = withIt.get(stem) ?? [];
      if (list.length < MOST_WITH_IT) list.push(other);
      withIt.set(stem, list);
    }
  }
  return pairs.sort((a, b) => b.share - a.share || a.one - b.one || a.other - b.other);
}

function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let common = 0;
  for (const stem of a) if (b.has(stem)) common += 1;
  return common / (a.size + b.size - common);
}
