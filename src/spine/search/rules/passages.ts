/** Long enough for a thought, short enough for the best one to stand out and for an embedding model to take. */
const PASSAGE = 1_200;

/** A speaker at the start of a line, as transcripts and chat exports write it: `User: …`, `**Ada:** …`, `[10:02] Ada: …`. */
const TURN = /\n(?=(?:\[[^\]\n]{1,40}\] ?)?(?:\*\*|__)?[\p{Lu}][\p{L}\p{N} ._-]{0,30}:(?:\*\*|__)?\s)/u;
const SPEAKER = /^(?:\[[^\]\n]{1,40}\] ?)?(?:\*\*|__)?(\p{L}[\p{L}\p{N} ._-]{0,30}):(?:\*\*|__)?\s/u;
const PARAGRAPH = /\n[ \t]*\n+/;
const ITEM = /\n(?=[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t])/;
const LINE = /\n+/;
/** The look ahead comes first and the look back is short: else a run of quotes is walked once for each of its characters. */
const SENTENCE = /(?=\s)(?<=[.!?…]["'”’)\]]{0,8})\s+|(?<=[。！？])/u;
const WORD = /\s+/;
const COARSE_TO_FINE = [PARAGRAPH, TURN, ITEM, LINE, SENTENCE, WORD];

/**
 * Splits a text where its author did: a conversation at its turns, unless `turns` is false, and any text at paragraphs,
 * list items, lines, sentences, words; the coarsest cuts that keep each piece within bounds. Neighbours that fit together
 * stay together, so a short text is one passage.
 */
export function passagesOf(text: string, limit = PASSAGE, turns = true): string[] {
  const parts = turns ? turnsOf(text.trim()) : [text.trim()];
  return parts.flatMap((part) => split(part.trim(), limit, 0)).filter((passage) => passage !== '');
}

/** Two speakers who speak more than once, and in sentences, are a conversation; many, or a few words each, are a record. */
const MOST_SPEAKERS = 8;
const LEAST_OF_A_TURN = 40;
/** Of a longer conversation, turns that fit together stay together, or there would be more passages than are indexed. */
const MOST_TURNS = 200;

/** A conversation by its turns: each is one speaker's thought. Any other text as it is. */
function turnsOf(text: string): string[] {
  const lines = text.split('\n');
  const speakers = lines.map((line) => SPEAKER.exec(line)?.[1]);
  const turns = new Map<string, number>();
  for (const speaker of speakers) {
    if (speaker !== undefined) turns.set(speaker, (turns.get(speaker) ?? 0) + 1);
  }
  const often = new Set([...turns].flatMap(([speaker, count]) => (count > 1 ? [speaker] : [])));
  if (often.size < 2 || often.size > MOST_SPEAKERS) return [text];
  const begins = lines.flatMap((_, at) => (often.has(speakers[at] ?? '') ? [at] : []));
  if (begins.length > MOST_TURNS || text.length < LEAST_OF_A_TURN * begins.length) return [text];
  return [0, ...begins].map((from, at) => lines.slice(from, begins[at]).join('\n'));
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
