import { claimIn } from './claims.ts';
import type { ClaimKind } from './form.ts';
import { afterLeadIn } from './lead-in.ts';
import { ownSentences, type Stretch } from './own-words.ts';
import { isPassing } from './passing.ts';

/** Something lasting that a person said of themselves or their work, in their own words. */
export interface Statement extends Stretch {
  readonly text: string;
  /** `asked`: they said that it should be remembered. */
  readonly kind: ClaimKind | 'asked';
  /** False for what has only signs of being worth keeping, and for what a model picked out. */
  readonly sure: boolean;
}

/** Of one turn; the places are those of the turn. Pure, and the same each time. */
export function findStatements(turn: string): Statement[] {
  return ownSentences(turn).flatMap(({ start, end }): Statement[] => {
    const sentence = turn.slice(start, end);
    const lead = afterLeadIn(sentence);
    const text = sentence.slice(lead.start).replace(/\s+/g, ' ');
    const plain = plainForm(text);
    if (isPassing(plainForm(sentence)) || isPassing(plain) || text.endsWith('?')) return [];
    const found = { start: start + lead.start, end, text: spelled(text) };
    const claim = claimIn(plain, text);
    if (claim) return [{ ...found, ...claim }];
    return lead.asked && isClause(plain) ? [{ ...found, kind: 'asked', sure: true }] : [];
  });
}

function plainForm(text: string): string {
  return text
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/[.!\s]+$/, '');
}

/** With a subject and something said of it; of the person or their work, or something that rules. */
function isClause(text: string): boolean {
  return (
    /^(?:the|my|our|i|we|all|every|most|no|this (?:project|repo|team))\b(?: \S+){3,}/.test(text) &&
    /\b(?:i|i'm|my|me|we|we're|our|us|must|only|always|never|every)\b/.test(text)
  );
}

function spelled(text: string): string {
  const bare = text.replace(/[\s.!]+$/, '');
  return bare.charAt(0).toUpperCase() + bare.slice(1);
}
