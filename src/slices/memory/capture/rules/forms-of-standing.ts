/** How people give standing instructions: to everything of a kind, in every such case, or as somebody wants to be treated. */
import { AMISS, AT_HAND, type Form } from './form.ts';

const TEAMS_OWN =
  '(?:commit messages|commits|branch(?:es| names)|migrations|(?:unit |integration )?tests|pull requests|prs|releases|tickets|dates|docs|documentation|(?:code )?comments|variables|variable names|tables|modules|packages|secrets|feature flags|flags|identifiers|names|titles|money|amounts|prices|timestamps|changelogs?|versions|dependencies|screenshots|reviews|code reviews|endpoints|configs?|semicolons|abbreviations|snapshots|fixtures|translations|licen[cs]es)';
const THEIRS =
  "(?:this|that|it|these|those|them|the|your|you|they|he|she|which|what|nothing|something|there|i|i'm|i've|i'd|i'll|we|we're|you're)\\b";

export const STANDING: readonly Form[] = [
  {
    kind: 'rule',
    says: /^(?:please |always )*(?:ask|tell|warn|consult|check with) me (?:before|first|whenever)\b/,
    unless: /\b(?:done|finished|ready|the output)\b/,
  },
  {
    kind: 'rule',
    says: /^(?:please |always )*(?:address|answer|talk to|write to|speak to|reply to) me (?:in|as|like|by|with)\b/,
    unless: /\b(?:a minute|moment|one word|yes or no)\b/,
  },
  {
    kind: 'rule',
    says: /^(?:please |always )*(?:use|skip|spare|drop|mind) [\w -]{3,60} (?:with|for|around) me$/,
  },
  {
    kind: 'rule',
    says: /^(?:please )?(?:keep|limit|treat|restrict|cap) (?!(?:the|this|that|it|its|your|my|them|these|those|going|an?|looking|all)\b)[a-z][\w-]*(?: [\w-]+)? (?:under|below|within|as|to|short|small|out of|free of|apart)\b/,
    unless: /\b(?:row|column|string|array|header|list|page|for now)s?\b/,
  },
  {
    kind: 'rule',
    says: /^no (?!(?:errors?|warnings?|luck|ideas?|changes?|differences?|problems?|issues?|effect|output|results?|sign|trace|need|one|matter|wonder|worries|way|thanks|clue|reason|more|other|such|longer|hits|match(?:es)?)\b)[\w -]{2,40} (?:in|on|at|from|without|for|after|before) (?:[\w ]+, please|(?:commit messages|commits|code|comments|docs|documentation|tests|titles|names|headings|production|answers|replies|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends|(?:nine|ten|noon|\d).*))$/,
  },
  {
    kind: 'rule',
    says: new RegExp(`^(?:make sure|see to it|ensure)(?: that)? (?:every|each|no) (?!${AT_HAND}\\b)\\w+`),
    unless: AMISS,
  },
  { kind: 'rule', says: /\bunless i (?:say|ask|tell you|told you)\b/, unless: /^(?:if|it|this|that)\b/ },
  { kind: 'rule', says: /^(?:whatever you do|under no circumstances),? \S+/ },
  {
    kind: 'rule',
    says: /^(?:if|when|whenever|where) (?:in doubt|unsure|(?:you're|you are) (?:unsure|in doubt|not sure|stuck|uncertain)),? .{3,}/,
  },
  {
    kind: 'rule',
    says: new RegExp(
      `^if (?:an?|any|some\\w+|you(?: ever)?(?: need| have to| must)) (?!${AT_HAND}\\b)[^,]{3,60}, (?:please )?(?:put|keep|split|mark|name|write|ask|check with|add|use|leave|tell|take|pick|open|tag|say) `,
    ),
    unless: AMISS,
  },
  { kind: 'rule', says: /^stop [a-z]+ing (?:me )?(?:all the time|so much|so often|constantly|everywhere)$/ },
  {
    kind: 'rule',
    says: /^[\w -]{3,40} for [\w ]{3,30}, [\w -]{3,40} for (?:everything else|anything else|the rest|all others)$/,
  },
  { kind: 'habit', says: /\bthat's how (?:i|we) (?:work|like it|do it|do things|roll)$/ },
  {
    kind: 'rule',
    says: new RegExp(
      `^(?:each|every|any|all) (?!${AT_HAND}\\b)[\\w -]{2,40}? (?:needs? an?|must|has to|have to|requires?|may not|should (?:always|never)|gets? an?|gets? its)\\b`,
    ),
    unless: AMISS,
  },
  {
    kind: 'rule',
    says: /^(?:anything|everything|whatever|whoever|any \w+) (?:that|which|who|under|in|with|breaks|touches) .{3,60}\b(?:must|needs?|has to|goes|may not|(?:is|are) (?:off limits|forbidden|read-only|frozen)|fixes|pays)\b/,
    unless: AMISS,
  },
  {
    kind: 'rule',
    says: /^(?:nothing|nobody|no one) (?:goes|ships|leaves|touches|deploys|merges|gets (?:merged|deployed|shipped|released)|is (?:merged|deployed|shipped|released)|may|but|except|other than)\b.{3,}/,
    unless: AMISS,
  },
  {
    kind: 'rule',
    says: new RegExp(
      `^(?!${THEIRS})[\\w -]{3,40} (?:is|are) (?:mandatory|forbidden|off[ -]limits|not allowed|banned|frozen)\\b`,
    ),
    unless: AMISS,
  },
  {
    kind: 'rule',
    says: new RegExp(
      `^(?:\\w+ )?${TEAMS_OWN} (?:are|is|go|goes|live|stay|must|get|start|end|belong|need|come|have to)\\b.{3,}`,
    ),
    unless: new RegExp(
      `${AMISS.source}|^(?:the|your|these|those|which|some|two|three|more)\\b|\\b(?:now|below|passing|ready|done|fine|there)\\b`,
    ),
  },
  {
    kind: 'rule',
    says: /^an? (?:release|migration|pull request|pr|commit|branch|ticket|deploy|deployment|change|review|feature) (?:is|gets|needs|must|has to|goes) .{3,}/,
    unless: AMISS,
  },
  {
    kind: 'preference',
    says: new RegExp(
      `^(?!${THEIRS})[\\w' -]{3,50} (?:(?:suits?|annoys?|bores?|bothers?|helps?|irritates?|confuses?|tires?|distracts?|upsets?) me|drives? me (?:mad|crazy|nuts|up the wall)|(?:is|are) (?:no use|useless|torture) (?:to|for) me|means? (?:nothing|a lot) to me|works? (?:best|better|well|fine) for me|makes? me (?:nervous|tired|anxious|happy|sick|dizzy))\\b`,
    ),
    unless: AMISS,
  },
  {
    kind: 'preference',
    says: new RegExp(
      `^(?!${THEIRS})[\\w' -]{3,50} (?:is|are) (?:what|where|how|something) (?:that )?(?:i|we)(?:'m| am| use| prefer| like| love| hate| dislike| work| always| really| usually| know| want)\\b`,
    ),
  },
  {
    kind: 'preference',
    says: /^what (?:works|matters|helps|counts)(?: best| most)?(?: (?:for|to))? me(?: most| best)? is \S+/,
  },
];
