import { termsIn } from './tokenize.ts';

/** Words by which a speaker speaks of themselves. They are stop words: they find nothing, but tell whose words these are. */
export const OWN_TERMS: readonly string[] = [
  ...new Set(termsIn("I me my mine myself I'm I've I'd I'll we us our")),
];

/** Whether who asks, asks about themselves: then what they told of themselves is worth more than what others said. */
export function asksOfSelf(query: string): boolean {
  return termsIn(query).some((term) => OWN_TERMS.includes(term));
}
