/**
 * The known word that somebody who wrote `word` most likely meant; undefined where none is close. A third of its letters
 * may be wrong, letters that changed places count once, and a beginning of three letters or more is close.
 */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const lower = word.toLowerCase();
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    if (least > 1 && lower.length >= 3 && candidate.toLowerCase().startsWith(lower)) {
      [best, least] = [candidate, 1];
      continue;
    }
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const far = distance(lower, candidate.toLowerCase());
    if (far < least) [best, least] = [candidate, far];
  }
  return best;
}

/** The known word of which `word` is a slip of the pen: two letters wrong, or one in a short word. */
export function misspelled(word: string, known: Iterable<string>): string | undefined {
  const most = word.length > SHORT ? 2 : 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) > most) continue;
    if (distance(word.toLowerCase(), candidate.toLowerCase()) <= most) return candidate;
  }
  return undefined;
}

const SHORT = 5;

/** Nobody reads more. */
const LISTED = 24;

/** `did you mean when?`, or the words there are. */
export function suggestion(word: string, known: readonly string[]): string {
  const meant = nearest(word, known);
  if (meant !== undefined) return `did you mean ${meant}?`;
  if (known.length === 0) return 'there are none';
  if (known.length <= LISTED) return `known are ${known.join(', ')}`;
  return `known are ${known.slice(0, LISTED).join(', ')} and ${known.length - LISTED} more`;
}

/** Insertions, deletions, replacements and neighbours that changed places. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (before[j - 2] as number) + 1);
      }
      row.push(cost);
    }
    [before, last] = [last, row];
  }
  return last[b.length] as number;
}
