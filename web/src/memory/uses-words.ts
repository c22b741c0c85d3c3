import { counted } from '../numbers.ts';

const NOUNS: Readonly<Record<string, string>> = { read: 'reading', propose: 'proposal', write: 'change' };

/** `1 reading, 2 proposals`: what an agent has done with the access it was given. */
export function usesWords(log: readonly { readonly action: string }[]): string {
  const kinds = Object.entries(NOUNS).flatMap(([action, noun]) => {
    const times = log.filter((entry) => entry.action === action).length;
    return times === 0 ? [] : [counted(times, noun)];
  });
  return kinds.length === 0 ? 'not used yet' : kinds.join(', ');
}
