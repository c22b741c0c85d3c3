const K1 = 1.5;

/** How much the length of a text takes away: of a whole document less, because the longer one also says more. */
export const LENGTH_OF_DOCUMENT = 0.6;
export const LENGTH_OF_PASSAGE = 0.75;

/** The weight of a match: rarer terms weigh more. Never negative. */
export function inverseFrequency(documents: number, withTerm: number): number {
  return Math.log(1 + (documents - withTerm + 0.5) / (withTerm + 0.5));
}

/** What `frequency` occurrences in a text of `length` are worth, between 0 and k1 + 1. */
export function saturation(
  frequency: number,
  length: number,
  averageLength: number,
  lengthShare: number,
): number {
  if (frequency === 0) return 0;
  const relative = averageLength > 0 ? length / averageLength : 1;
  return (frequency * (K1 + 1)) / (frequency + K1 * (1 - lengthShare + lengthShare * relative));
}
