/** How people say what always holds. */
import { type Form, HERE } from './form.ts';

export const RULES: readonly Form[] = [
  {
    kind: 'rule',
    says: /^(?:always|never) (?!mind\b|the\b|a\b|an\b|i\b|we\b|you\b|again\b|ending\b|forget$)[a-z]+ \w+/,
    unless:
      /^(?:always|never) (?:returns?|fails?|prints?|shows?|display|render|throw|redirect|respond|emit|trigger|default|happens?|be|the same|open the|call the|send the|set the|ending|gonna|seen|got|heard|worked|works)\b/,
  },
  { kind: 'rule', says: /^(?:don't|do not) ever [a-z-]+ \w+/ },
  { kind: 'rule', says: /^(?:from now on|going forward|in (?:the )?future|from here on)[, ]/ },
  {
    kind: 'rule',
    says: /\b(?:from now on|going forward)$/,
    unless: /^(?:i|i'll|i'm|it|this|that|they|he|she)\b/,
  },
  {
    kind: 'rule',
    says: /^(?:whenever|every time|each time|anytime|any time) (?:you|i|we|a|an|there)\b.{3,120}, ?(?:please )?(?:always |never |do not |don't )?(?!(?:the|it|a|an|i|this|that|they|my|our|there|nothing|everything)\b)[a-z]+ /,
  },
  {
    kind: 'rule',
    says: /^when (?:you (?:write|answer|reply|respond|review|commit|name|format|explain|summari[sz]e|propose|open an? (?:pr|pull request))|writing|naming|reviewing|committing|answering|explaining)\b.{3,120}, ?(?:please )?(?:always |never |do not |don't )?[a-z]+ /,
    unless: /\b(?:this|that|the) (?:file|function|line|bug|test|variable|one)\b/,
  },
  {
    kind: 'rule',
    says: new RegExp(
      `^(?:don't|do not|avoid|use|prefer|keep|put|write|never|always|no|name|run|leave|make) .{2,120}\\b(?:${HERE}|everywhere|in new code|for everything|in all [\\w -]{2,40}|in every [\\w -]{2,40}|for all [\\w -]{2,40}|for every [\\w -]{2,40}|at all times|on every commit|by default)$`,
    ),
    unless: /^(?:keep|leave) (?:it|the)\b/,
  },
  {
    kind: 'rule',
    says: /^(?:don't|do not) [a-z]+ .{2,80}\b(?:without (?:asking|telling|my|a test|tests)|unless i|you did(?:n't| not) (?:change|write)|behind my back)/,
  },
  {
    kind: 'rule',
    says: /^stop (?:[a-z]+(?:s?ing)) (?:in|at|with|for|every|my|your|so|comments|code|the same|things|questions|files|tests|emojis?|\w+s )/,
    unless: /^stop (?:working|running|looking)\b/,
  },
  {
    kind: 'rule',
    says: /^(?:please )?(?:use|avoid|put|write|give|keep|leave|add|include|skip|mark|end|begin|start) .{2,80}\b(?:in (?:your|every|all|each) (?:\w+ )?(?:answers?|replies|reply|responses?|reports?|summar(?:y|ies)|explanations?|messages?|reviews?|documents?)|when(?:ever)? you (?:talk|write|speak|answer|reply|explain)(?: to me)?)\b/,
    unless: /\b(?:this|that|these|those) (?:answer|reply|report|one)/,
  },
  {
    kind: 'rule',
    says: /^stop [a-z]+ing .{2,80}\b(?:in|from|to|at the end of) (?:your |any |every |all |my )?(?:\w+ )?(?:answers?|explanations?|comments?|commits?|messages?|replies|responses|summaries|headings|docs|names|code)$/,
    unless: /\b(?:this|that|these|those|the (?:first|second|last))\b/,
  },
  {
    kind: 'rule',
    says: /^keep (?:your (?:answers|replies|responses|explanations|messages|summaries|commits)|commit messages|commits|answers|replies|responses|explanations|summaries|prs|pull requests)\b.{3,}/,
    unless: /\b(?:this|that)\b/,
  },
  {
    kind: 'rule',
    says: /^by default,? (?:use|write|run|put|answer|assume|prefer|keep|do|deploy|open|create)\b/,
  },
  {
    kind: 'rule',
    says: /^(?:prefer|favou?r) (?!the (?:first|second|last)|it\b|this\b|that\b)\S.{2,80}\b(?:over|to|instead of)\b/,
  },
  { kind: 'rule', says: /^no .{2,60}\b(?:ever|please, ever|at all)$/ },
  { kind: 'rule', says: /^rule(?: of thumb)?: \S/ },
  {
    kind: 'rule',
    says: /^(?:all |our |the |most )?[\w -]{3,40} in (?:this|our|my) (?:project|repo|repository|code ?base|monorepo|team|company) (?:go|live|sit|stay|belong|use|have|must|follow|start|end|are|is)s? .{3,}/,
    unless:
      /\b(?:error|broken|fails?|failing|bug|red|slow|wrong|missing|flaky|outdated|out of date|stuck|there)\b/,
  },
  {
    kind: 'rule',
    says: new RegExp(`^${HERE},? .{6,}`),
    unless: /\b(?:error|broken|fails?|failing|bug|there is|there's)\b/,
  },
  {
    kind: 'rule',
    says: new RegExp(
      `^(?:we|i) (?:use|do|call|put|keep|name|write|run|have|squash|follow) .{2,80}\\b${HERE}$`,
    ),
  },
];
