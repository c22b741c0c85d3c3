import { termsIn } from './tokenize.ts';

/** English function words, which carry little meaning in a query. */
const WORDS = `
  a about after again all also am an and any are as at be been before being but by can could did do does doing
  for from had has have having he her here hers him his how i if in into is it its just me more most my no nor not
  of on once only or other our ours out over own please same she should so some such than that the their theirs them
  then there these they this those through to too under until up very was we were what when where which while who
  whom whose why will with would you your yours i'm i've i'd i'll you're you've we're we've it's that's what's
  don't didn't doesn't isn't wasn't aren't can't couldn't let's
`;

const STOP_TERMS: ReadonlySet<string> = new Set(termsIn(WORDS));

export function isStopTerm(term: string): boolean {
  return STOP_TERMS.has(term);
}

/** Without stop words, unless there are only stop words. */
export function contentTerms(terms: readonly string[]): readonly string[] {
  const content = terms.filter((term) => !STOP_TERMS.has(term));
  return content.length > 0 ? content : terms;
}
