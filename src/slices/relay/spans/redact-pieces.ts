import { REDACTED, secretsIn } from './redact.ts';
import type { Cut } from './secret-finders.ts';

/** One of the pieces that a text came in. Those of one source are a text; so are all of them, as they came. */
export interface Piece {
  readonly source: string;
  readonly text: string;
}

interface PieceCut extends Cut {
  /** A secret begins here: its mask stands here, and the rest of it in later pieces is left out. */
  readonly opens: boolean;
}

/**
 * The pieces without secrets, also such as were cut in two between them: what is found in the joined text is cut back
 * onto the pieces. Those of one source, joined again, are their text, redacted.
 */
export function redactPieces(pieces: readonly Piece[]): string[] {
  const cuts: PieceCut[][] = pieces.map(() => []);
  const all = [...pieces.keys()];
  cutBack(pieces, all, cuts);
  const bySource = indicesBySource(pieces);
  if (bySource.size > 1) for (const some of bySource.values()) cutBack(pieces, some, cuts);
  return pieces.map(({ text }, index) => masked(text, cuts[index] ?? []));
}

function indicesBySource(pieces: readonly Piece[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  pieces.forEach(({ source }, index) => {
    const known = found.get(source);
    if (known) known.push(index);
    else found.set(source, [index]);
  });
  return found;
}

function cutBack(pieces: readonly Piece[], indices: readonly number[], cuts: readonly PieceCut[][]): void {
  const secrets = secretsIn(indices.map((index) => pieces[index]?.text).join(''));
  let start = 0;
  let next = 0;
  for (const index of indices) {
    const end = start + (pieces[index]?.text.length ?? 0);
    for (let at = next; at < secrets.length; at += 1) {
      const secret = secrets[at] as Cut;
      if (secret.start >= end) break;
      cuts[index]?.push({
        start: Math.max(secret.start - start, 0),
        end: Math.min(secret.end, end) - start,
        opens: secret.start >= start,
      });
      if (secret.end <= end) next = at + 1;
    }
    start = end;
  }
}

function masked(text: string, cuts: readonly PieceCut[]): string {
  let safe = '';
  let at = 0;
  for (const { start, end, opens } of cuts.toSorted((a, b) => a.start - b.start)) {
    if (end <= at) continue;
    safe += text.slice(at, Math.max(at, start)) + (opens ? REDACTED : '');
    at = end;
  }
  return safe + text.slice(at);
}
