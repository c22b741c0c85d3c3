/** The forms in which people state what is worth knowing of them, in lower case and without what leads in. */

export const CLAIM_KINDS = [
  'preference',
  'habit',
  'rule',
  'about-person',
  'about-work',
  'decision',
  'correction',
] as const;
export type ClaimKind = (typeof CLAIM_KINDS)[number];

export interface Form {
  readonly kind: ClaimKind;
  readonly says: RegExp;
  /** The same words in another sense. */
  readonly unless?: RegExp;
}

export const HERE =
  '(?:in|on|at|for|with|inside) (?:this|our|my|the) (?:project|repo|repository|code ?base|team|company|machine|laptop|desktop|office|monorepo|workspace|organi[sz]ation|house)';
/** What a program is made of: said of it, a sentence is of the work at hand. */
export const AT_HAND =
  '(?:functions?|methods?|variables?|class(?:es)?|components?|buttons?|handlers?|callbacks?|hooks?|events?|columns?|rows?|values?|fields?|arguments?|parameters?|arrays?|lists?|loops?|iterations?|objects?|strings?|items?|elements?|cells?|scripts?|commands?|cursors?|outputs?|inputs?|requests?|responses?|query|queries|containers?|buttons?|pages?|lines?)';
/** That something is not as it should be is said once. */
export const AMISS =
  /\b(?:errors?|fail\w*|bugs?|broken|breaks?|broke|crash\w*|wrong|stuck|slow|null|undefined|time[ds]? ?outs?|timing out|missing|empty|gone|red|green|down|hang\w*|flaky|weird|strange|again|already|still (?!use)|out of date|stale)\b/;
/** What a word points at is known only in the conversation. */
export const POINTER = '(?:it|this|that|these|those|them|him|her|you|how|what|when|where|the way)\\b';
