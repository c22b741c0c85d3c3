import { tokenize } from './tokenize.ts';

const SNIPPET = 240;
/** How much of the text before the first match is shown, so that it is read in its sentence. */
const LEAD = 60;

/** At most `limit` characters of the text, where the heaviest terms are close together; `…` marks a cut. */
export function snippetOf(text: string, weights: ReadonlyMap<string, number>, limit = SNIPPET): string {
  const normal = text.normalize('NFC');
  const start = openingOf(normal, weights, limit);
  const from = start <= LEAD ? 0 : wordStart(normal, start - LEAD);
  const room = limit - (from > 0 ? 1 : 0);
  const rest = normal.length - from;
  const to = rest <= room ? normal.length : wordEnd(normal, from, from + room - 1);
  const shown = normal.slice(from, to).replace(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${shown}${to < normal.length ? '…' : ''}`;
}

/** Where the window with the greatest sum of distinct terms begins. */
function openingOf(text: string, weights: ReadonlyMap<string, number>, limit: number): number {
  const matches = [...tokenize(text)].filter(({ term }) => weights.has(term));
  let best = 0;
  let start = 0;
  for (const [at, first] of matches.entries()) {
    const seen = new Set<string>();
    let sum = 0;
    for (let next = at; next < matches.length; next += 1) {
      const { term, end } = matches[next] as (typeof matches)[number];
      if (end - first.start > limit - LEAD) break;
      if (!seen.has(term)) sum += weights.get(term) ?? 0;
      seen.add(term);
    }
    if (sum > best) {
      best = sum;
      start = first.start;
    }
  }
  return start;
}

function wordStart(text: string, near: number): number {
  const space = text.slice(near, near + LEAD).search(/\s/);
  return onCharacter(text, space < 0 ? near : near + space + 1);
}

function wordEnd(text: string, from: number, near: number): number {
  const space = text.slice(from, near).search(/\s\S*$/);
  return onCharacter(text, space > 0 ? from + space : near);
}

/** Never between the two halves of a surrogate pair. */
function onCharacter(text: string, index: number): number {
  return /[\udc00-\udfff]/.test(text[index] ?? '') ? index - 1 : index;
}
