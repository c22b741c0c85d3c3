import { termsIn } from '../../../spine/search/rules/tokenize.ts';

/** The share of stems that two texts have in common, 0 to 1. A sign to rank by; no value of it says "the same". */
export function wordSimilarity(a: string, b: string): number {
  const left = new Set(termsIn(a));
  const right = new Set(termsIn(b));
  if (left.size === 0 || right.size === 0) return 0;
  let common = 0;
  for (const term of left) if (right.has(term)) common += 1;
  return common / (left.size + right.size - common);
}

const OPPOSED: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\b(?:likes?|loves?|enjoys?|prefers?)\b/i,
    /\b(?:dislikes?|hates?|avoids?|does not like|doesn't like|no longer)\b/i,
  ],
  [/\balways\b/i, /\b(?:never|no longer)\b/i],
  [
    /\b(?:is|are|works|lives|has|uses)\b(?! not)/i,
    /\b(?:is not|isn't|are not|aren't|no longer|stopped|used to)\b/i,
  ],
];

/** A hint for the reviewer that the two may not both be true; it decides nothing. */
export function mayContradict(a: string, b: string): boolean {
  if (wordSimilarity(a, b) < 0.2) return false;
  return OPPOSED.some(([one, other]) => {
    const first = one.test(a) && !other.test(a) && other.test(b);
    return first || (one.test(b) && !other.test(b) && other.test(a));
  });
}
