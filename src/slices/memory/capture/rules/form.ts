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
/** What a word points at is known only in the conversation. */
export const POINTER = '(?:it|this|that|these|those|them|him|her|you|how|what|when|where|the way)\\b';
