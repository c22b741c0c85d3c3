/** Which stretches of a turn are the person's own words, and not quoted, pasted, recalled or injected ones. Pure. */

export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** A turn that works on a text, makes one up, or would give orders to whoever reads it: nothing in it is a statement. */
const ABOUT_A_TEXT =
  /(?:^|[.!?:]\s+|\n)\s*(?:(?:please|now|then|can you|could you)\s+)*(?:translate|summari[sz]e|rephrase|paraphrase|proofread|rewrite|reword|correct (?:this|the|my) (?:text|sentence|letter|english|grammar)|grammar check|spell ?check|draft|continue (?:this|the)|pretend|act as|role ?play|imagine)\b/i;
const JUDGES_A_TEXT =
  /\bwrite (?:me )?(?:an?|the) [\w -]{0,30}(?:story|poem|bio|letter|e-?mail|essay|song|dialogue|speech|post|message)\b|\b(?:sentiment|correct english|polite enough|grammatical|sound natural)\b/i;
const ORDERS_A_READER =
  /\b(?:ignore|disregard|forget) (?:all |any )?(?:the |your |of )*(?:previous|prior|above|earlier)\b|\bsystem prompt\b/i;

/** What begins a passage by somebody else, which may then go on to the end of the turn. */
const OTHERS_FROM_HERE = [
  /^#{1,6} /,
  /^-{3,}.*(?:original|forwarded|begin)/i,
  /^on .{4,120} wrote:\s*$/i,
  /^(?:from|to|cc|subject|sent|author): /i,
  /^(?:diff --git|commit [0-9a-f]{7})/,
  /^\[[^\]\n]{2,60}\]/,
  /^(?:contents|output|result|text|source) of \S+.*:$/i,
  /^from this project.s ledger\b/i,
];
const LABEL = /^[\p{L}\p{N}#*_“"'’(][^:\n!?]{0,80}:(?=\s|\*|$)/u;
/** Labels behind which people go on in their own words. */
const OWN_LABEL =
  /^(?:\*\*)?(?:please |and |also |oh,? )*(?:decision|decided|rule of thumb|rule|correction|note(?: to .{0,30})?|remember|reminder|fyi|btw|by the way|once again|again|one (?:more )?thing.{0,30}|just so you know|for the record|for (?:future )?reference|you keep forgetting|keep in mind|in short|to be clear|important|preference|house rule|update|about me|some(?: more)? (?:things|facts) about me|a few things about me|my (?:rules|preferences))(?:\*\*)?:/i;

/** One line that nobody says: code, comments, logs, tables, quotations, lists that were pasted. */
const NOT_SPEECH =
  /^(?:>|\||\t| {4}|[-+*•] |\d{1,3}[.)] |\/\/|\/\*|#|--|<!--|\$ |[{[(]|@@|\d{4}-\d\d-\d\d|(?:error|info|warn|debug|trace)\b)|[;{}]\s*$|^\w+\(.*\)\s*;?$|^(?:const|let|var|def|class|function|import|return|assert|select)\b.*[=({;]/i;

/** Openers and closers of quotations; an apostrophe inside a word is none. */
const QUOTATION =
  /"[^"\n]{1,600}"|“[^“”\n]{1,600}”|„[^„“”\n]{1,600}[“”]|«[^«»\n]{1,600}»|(?<![\p{L}\p{N}])['‘][^'’\n]{1,300}(?:['’](?=\p{L})[^'’\n]{1,300}){0,8}['’](?!\p{L})/gu;
const BLOCKS = [
  /(```|~~~)[\s\S]*?(?:\1|$)/g,
  /<!--[\s\S]*?(?:-->|$)/g,
  /<([a-z][\w-]{0,60})(?:\s[^<>\n]{0,300})?>[\s\S]*?(?:<\/\1>|$)/gi,
  /`[^`\n]*`/g,
];

/** Nobody says this much of themselves at once: what is longer was pasted, or specifies the work at hand. */
const MOST_SAID = 1_500;

/** Stands for a character that is not the person's; no text has it. */
export const MASK = '\uffff';

/**
 * The turn with everything masked that is not the person's own, at the same length, so that places in it are places in
 * the turn. Of a quotation of one or two words only the marks go: `we call it "ledger"` is said by whoever says it.
 */
export function ownWords(turn: string): string {
  let text = turn;
  for (const block of BLOCKS) text = text.replace(block, masked);
  text = text.replace(QUOTATION, (quotation) =>
    quotation.trim().split(/\s+/).length <= 2 ? quotation : masked(quotation),
  );
  if (text.replaceAll(MASK, '').length > MOST_SAID) return masked(turn);
  if (ABOUT_A_TEXT.test(text) || JUDGES_A_TEXT.test(text) || ORDERS_A_READER.test(text)) return masked(turn);
  const lines = text.split('\n');
  let others = false;
  const kept = lines.map((line) => {
    others ||= startsOthers(line);
    return others || NOT_SPEECH.test(line) ? masked(line) : line;
  });
  return kept.join('\n');
}

function startsOthers(line: string): boolean {
  const start = line.trimStart();
  if (OTHERS_FROM_HERE.some((pattern) => pattern.test(start))) return true;
  return LABEL.test(start) && !OWN_LABEL.test(start);
}

function masked(text: string): string {
  return text.replace(/[^\n]/g, MASK);
}

/** A sentence ends at its mark, at a line that stands alone, and where somebody else's words begin. */
const SENTENCE = /[^\n.!?\uffff]+(?:[.!?](?![\s"”»)]|$)[^\n.!?\uffff]*)*(?:[.!?]+["”»)]?|(?=[\n\uffff]|$))/gu;
const MOST_SENTENCE = 400;

/** The person's sentences. One that goes over into somebody else's words is not whole, and is left out. */
export function ownSentences(turn: string): Stretch[] {
  const text = joinWrapped(ownWords(turn));
  const found: Stretch[] = [];
  for (const match of text.matchAll(SENTENCE)) {
    const start = match.index + (match[0].length - match[0].trimStart().length);
    const end = match.index + match[0].trimEnd().length;
    const cut = text[match.index - 1] === MASK || text[match.index + match[0].length] === MASK;
    if (!cut && end > start && end - start <= MOST_SENTENCE) found.push({ start, end });
  }
  return found;
}

/** A line that goes on in lower case was wrapped, not ended. */
function joinWrapped(text: string): string {
  return text.replace(/(?<=[\p{L}\p{N},])\n(?=\p{Ll})/gu, ' ');
}
