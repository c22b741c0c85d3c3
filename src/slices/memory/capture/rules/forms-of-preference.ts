/** How people say what they like and what they usually do. */
import { type Form, POINTER } from './form.ts';

const OFTEN =
  '(?:always|never|usually|normally|generally|typically|rarely|seldom|often|mostly|hardly ever|sometimes|tend to)';
const VERY =
  '(?:(?:really|strongly|much|very much|generally|usually|always|definitely|absolutely|just|still|personally|particularly) )?';

export const PREFERENCES: readonly Form[] = [
  {
    kind: 'preference',
    says: new RegExp(`^(?:i|we|my team|our team|the team) ${VERY}prefers? (?!${POINTER})`),
    unless: /^\w+ prefer (?:the \w+ one|not to do)|\b(?:first|now|instead)$/,
  },
  {
    kind: 'preference',
    says: new RegExp(
      `^i ${VERY}(?:like|love|enjoy|adore|hate|dislike|loathe|detest|(?:do not|don't) (?:really |particularly |much )?(?:like|enjoy|care for)|can't (?:stand|bear)|cannot (?:stand|bear)) (?!${POINTER}(?! when)|(?:the|your|like|how|one|both)\\b)`,
    ),
    unless:
      /^i (?:\w+ )?\w+ to (?:see|know|do|try|thank|hear)\b|\b(?:option|(?:your|this|that|some|those) .{0,20}(?:suggestions?|ideas?|answers?|recipes?)|sounds?)\b|waiting/,
  },
  {
    kind: 'preference',
    says: /^i (?:hate|love|like|dislike|can't stand|prefer) it when /,
    unless: /\b(?:this|that) (?:happens|breaks)/,
  },
  {
    kind: 'preference',
    says: new RegExp(
      `^(?:i'd|i would|we'd|we would) (?:much )?rather (?:have|use|you|not (?:have|use|get|be)|see|read|write|work|get|be|wait|keep) (?!${POINTER})`,
    ),
    unless: /\brather you (?:did that|do that|try|tried|fixed|looked)\b/,
  },
  {
    kind: 'preference',
    says: new RegExp(
      `^(?:i'd|i would|we'd|we would) (?:much |always |generally )?prefer (?!${POINTER}|the\\b|to (?:see|fix|do|try|look)\\b|if (?:you|we)\\b)\\S+`,
    ),
    unless: /\b(?:here|now|first|instead)$/,
  },
  {
    kind: 'preference',
    says: new RegExp(
      `^i (?:\\w+ly |always )?find (?!${POINTER}|the\\b|out\\b|an?\\b|no\\b)[\\w' -]{3,60} (?:\\w+ly |very |too |so |rather |quite |a bit )?(?:annoying|distracting|confusing|tiring|tiresome|exhausting|boring|stressful|upsetting|ugly|helpful|useful|relaxing|soothing|hard|easier|easy|difficult|impossible)\\b`,
    ),
  },
  {
    kind: 'preference',
    says: /^i (?:only |really |always )?(?:want|need|expect|insist on|require|demand) (?:(?:every|no|only)\b|(?:short|long|brief|concise|detailed|plain|large|small|big|simple|honest|direct|reproducible|clean) ?(?:answers|replies|responses|explanations|summaries|commits|print|text|fonts?|words|builds|pull requests|prs)|(?:answers|replies|responses|explanations|summaries|commit messages|tests with|tests for every|code comments|comments|emojis|tabs|spaces|semicolons|all amounts|all dates|all prices|all units|subtitles|captions)\b)/,
  },
  {
    kind: 'preference',
    says: /^i (?:don't|do not) want (?:any |to see )?(?!to\b|that\b|this\b|it\b|the\b|you\b|a\b|an\b|my\b|one\b)\w+/,
    unless: /\b(?:here|anymore|yet)$/,
  },
  {
    kind: 'preference',
    says: /^(?:it's|it is) (?:very |really )?important (?:to|for) (?:me|us) (?:that|to)\b/,
  },
  { kind: 'preference', says: /^(?:it's|it is) best if you (?!look|try|fix)/ },
  {
    kind: 'preference',
    says: /^what (?:i|we) (?:like|love|hate|prefer|value|care about)(?: most)? is (?!that one|this)/,
  },
  {
    kind: 'habit',
    says: new RegExp(`^(?:i|we) (?:almost )?${OFTEN} (?:\\w+ly )?[a-z]+`),
    unless:
      /^(?:i|we) (?:almost )?\w+(?: ever)?(?: to)? (?:get|got|see|saw|seen|forget|forgot|lose|have to|had|thought|said|knew|expected|wanted|asked|run into|end up|mean|meant|understand|remember|assumed|reali[sz]ed|noticed|heard|imagined|considered|win|love a)\b|^\w+ \w+(?: \w+)? (?:it|this|that|them)\b/,
  },
  {
    kind: 'habit',
    says: /^(?:i|we|my \w+|our \w+) (?!get\b|see\b|have to\b|had\b|restart|lose\b|was\b|were\b)[a-z]+s? (?!(?:it|this|that|these|those|them)\b)[\w' -]{2,60} (?:every|each|most) (?:other |second |third )?(?:morning|evening|night|day|week|weekend|fortnight|month|quarter|year|spring|summer|autumn|fall|winter|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?\b/,
    unless: /\b(?:error|bug|timeout|warning|exception|crash\w*|fails?|failing|until|because)\b/,
  },
  {
    kind: 'habit',
    says: /^(?:usually|normally|generally|typically|in general|as a rule|mostly|most days|on (?:week|mon|tues|wednes|thurs|fri|satur|sun)days?|every (?:morning|evening|day|week|month|quarter|year|spring|summer|autumn|winter)|in the (?:morning|evening)s?),? (?:i|we|our|my)\b/,
  },
  {
    kind: 'habit',
    says: /^(?:before|after|whenever|every time|each time) (?:a|an|every|each|we|i|\w+ing)\b[^,]{2,60},? (?:i|we) (?:always |usually |run|write|make|ask|check|squash|update|use|take|tag|keep)\b/,
    unless: /\b(?:run into|get an|see an)\b/,
  },
];
