import type { Statement } from './find-statements.ts';

/** What is guarded comes first: a sister's illness is health. */
const BY_WORDS: readonly (readonly [category: string, words: RegExp])[] = [
  [
    'a2p:health',
    /\b(?:allerg\w+|intoleran\w+|diabet\w+|asthma\w*|migraines?|epilep\w+|dyslexi\w+|adhd|autis\w+|coeliac|celiac|pregnan\w+|depress\w+|anxiety|insomnia|therap(?:y|ist)|doctor|medication|insulin|disab\w+|deaf|blind|hard of hearing|eyesight|screen reader|colou?r[- ]?blind|surgery|gluten|lactose|illness|disease|cancer|caffeine)\b/i,
  ],
  ['a2p:financial', /\b(?:salary|income|mortgage|debts?|loan|pension|savings|bank account|tax(?:es)?)\b/i],
  [
    'a2p:relationships',
    /\bmy (?:\w+ ){0,2}(?:wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|son|daughter|kids?|child(?:ren)?|mother|father|mum|mom|dad|parents?|sister|brother|ex)\b|\bmarried|divorced|\bkids\b|\bchildren\b/i,
  ],
  [
    'a2p:professional',
    /\b(?:work(?:s|ed|ing)? (?:as|at|for)|job|employer|company|boss|manager|team|colleague|coworker|customers?|clients?|developer|engineer|nurse|teacher|lawyer|designer|maintainer|on call|repo(?:sitory)?|codebase|deploy\w*|database|releases?|branch(?:es)?)\b/i,
  ],
  [
    'a2p:interests',
    /^i (?:really |also )?(?:love|enjoy|play|collect|sing|paint|cycle|swim)\b|\b(?:hobby|hobbies|favou?rite)\b/i,
  ],
];

const BY_KIND: Readonly<Record<Statement['kind'], string>> = {
  preference: 'a2p:preferences',
  habit: 'a2p:preferences',
  rule: 'a2p:preferences',
  'about-person': 'a2p:identity',
  'about-work': 'a2p:professional',
  decision: 'a2p:professional',
  correction: 'a2p:context',
  asked: 'a2p:context',
};

export function categoryOf(text: string, kind: Statement['kind']): string {
  return BY_WORDS.find(([, words]) => words.test(text))?.[0] ?? BY_KIND[kind];
}
