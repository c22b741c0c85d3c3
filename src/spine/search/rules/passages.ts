/** Long enough for a thought, short enough for the best one to stand out and for an embedding model to take. */
const PASSAGE = 1_200;

/** A speaker at the start of a line, as transcripts and chat exports write it: `User: …`, `**Ada:** …`, `[10:02] Ada: …`. */
const TURN = /\n(?=(?:\[[^\]\n]{1,40}\] ?)?(?:\*\*|__)?[\p{Lu}][\p{L}\p{N} ._-]{0,30}:(?:\*\*|__)?\s)/u;
const PARAGRAPH = /\n[ \t]*\n+/;
const ITEM = /\n(?=[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t])/;
const LINE = /\n+/;
/** The look ahead comes first and the look back is short: else a run of quotes is walked once for each of its characters. */
const SENTENCE = /(?=\s)(?<=[.!?…]["'”’)\]]{0,8})\s+|(?<=[。！？])/u;
const WORD = /\s+/;
const COARSE_TO_FINE = [PARAGRAPH, TURN, ITEM, LINE, SENTENCE, WORD];

/**
 * Splits a text where its author did: at paragraphs, turns, list items, lines, sentences, words; the coarsest cuts that
 * keep each piece within bounds. Neighbours that fit together stay together, so a short text is one passage.
 */
export function passagesOf(text: string, limit = PASSAGE): string[] {
  return split(text.trim(), limit, 0).filter((passage) => passage !== '');
}

function split(text: string, limit: number, level: number): string[] {
  if (text.length <= limit) return [text];
  const border = COARSE_TO_FINE[level];
  if (border === undefined) return slices(text, limit);
  const pieces = text.split(border).flatMap((piece) => split(piece.trim(), limit, level + 1));
  return joinNeighbours(pieces, limit, level <= 3 ? '\n' : ' ');
}

function joinNeighbours(pieces: readonly string[], limit: number, glue: string): string[] {
  const joined: string[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last !== undefined && last.length + glue.length + piece.length <= limit) {
      joined[joined.length - 1] = `${last}${glue}${piece}`;
    } else {
      joined.push(piece);
    }
  }
  return joined;
}

/** A run without any border is cut by length, between characters. */
function slices(text: string, limit: number): string[] {
  const parts: string[] = [];
  let start = 0;
  while (start < text.length) {
    let end = Math.min(start + limit, text.length);
    if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1] as string)) end -= 1;
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}
