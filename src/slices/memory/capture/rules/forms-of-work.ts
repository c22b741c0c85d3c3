/** How people speak of their work, of what was decided, and of what is not as it was thought. */
import { AMISS, AT_HAND, type Form } from './form.ts';

const CONVENTION =
  'deploy|ship|release|support|target|use|host|keep|store|follow|name|write|log|tag|call|merge|squash|rebase|pair|review|version|prefer|require|publish|document|pin|vendor|lint|format|test|track|meet|rotate|encrypt|back up|monitor|page|number|generate|validate|sign|cache|bundle|compile|branch|work|treat|avoid|ban|forbid|allow|accept|speak|bill|pay|hire|hold|charge|sell|serve|operate|maintain';
const DECIDED =
  'decided|agreed|settled|chose|chosen|switched|migrated|moved|standardi[sz]ed|adopted|picked|dropped|banned|committed|opted|retired|replaced|upgraded|ditched|abandoned|deprecated|outsourced|gave up on|given up on|got rid of|phased out|moved off|stopped (?:using|doing|writing|supporting|shipping|accepting)|started using';

export const ABOUT_WORK: readonly Form[] = [
  {
    kind: 'about-work',
    says: /^our (?!last|latest|next|best|guess|problem|question|bug|error|test\b|tests\b|build\b|function|method|class|component|variable|query|endpoint|handler|code\b|loop|table|form\b|button|page|script|app is|app has)(?:[\w-]+ ){1,5}(?:is|are|runs?|lives?|uses?|follows?|has|have|starts?|ends?|goes?|requires?|supports?|means|sits?|stays?|ships?|forbids?|allows?|covers?|expires?|demands?|(?:opens?|closes?|begins?) (?:at|in|on|every))\b/,
    unless:
      /\b(?:broken|failing|down|flaky|slow|red|late|back up|stuck|wrong|out of date|leaking|unhappy|angry|on fire|not working|timing out|crashing)\b|\bin (?:an?|half an?|\d+|two|three|five|ten) (?:hours?|minutes?|days?|weeks?)$/,
  },
  {
    kind: 'about-work',
    says: new RegExp(
      `^we(?: all| also| only| mostly| currently)? (?:(?:don't|do not|never) do|(?:don't |do not |never )?(?:${CONVENTION})) (?!(?:it|this|that|these|those|them|you|not|have|has)\\b|(?:a|an|the|some) (?:problem|issue|bug|error|question|look|release tomorrow|meeting)\\b|to\\b|into\\b|out of\\b|no (?:idea|time|clue)|a lot)\\S+`,
    ),
    unless:
      /\b(?:should|could|below|tomorrow|again|in the loop|in this (?:loop|function|case))\b|^we (?!follow|support|call|all|also)(?:don't |do not |never )?\w+ (?:the|a|an|some|each|both) (?!.*\b(?:by hand|every|on \w+days?|with a v)\b)/,
  },
  {
    kind: 'about-work',
    says: /^(?:we're|we are) (?:an?|the|in|based|on|a team|not an?|not allowed|required|obliged|all|mostly|fully|soc|gdpr|hipaa|iso)\b.{3,}/,
    unless: /\b(?:getting|seeing|hitting|stuck|loop|hurry|trouble|problem|same page|on it)\b/,
  },
  {
    kind: 'about-work',
    says: /^(?:at|in|for|on) (?:my|our) (?:company|work|job|team|office|school|department|agency|startup|machine|laptop|codebase|org),? .{6,}/,
  },
  {
    kind: 'about-work',
    says: /^the (?:production|prod|staging|release|default|master|legacy|company|team)(?: (?:database|db|server|servers|cluster|branch|environment|api|site|bucket|account|vpc|machine|network|wiki|calendar|policy|licen[cs]e)) (?:is|are|runs|lives|uses|stays|must|has to)\b/,
    unless:
      /\b(?:down|broken|failing|slow|red|green|stuck|wrong|crashing|back up|empty|missing|timing out|behind|ahead|throwing|returning)\b/,
  },
  {
    kind: 'about-work',
    says: /^(?:the|our|my) [\w-]+(?: [\w-]+)? (?:team|shift|squad|department|office|agency|group) (?:is responsible for|(?!(?:is|was|has|says|asks|thinks|wants|needs|reports|finds|sees|gets|knows|complains|agrees)\b)[a-z]+s) (?!(?:it|this|that|these|those|them)\b)\S+/,
  },
  {
    kind: 'about-work',
    says: /^(?:no ?one|nobody|everyone|everybody|none of us)(?: (?:on|in|at) (?:our|my|the|this) (?:team|company|office|project|department|firm|school)) (?!(?:is|was|knows|understands|sees|gets|agrees|thinks|loves|likes|hates|wants|needs|says)\b)[a-z]+s \S+/,
    unless: /\b(?:error|bug|page|this|that|it|complain\w*|says?|said)\b/,
  },
  {
    kind: 'about-work',
    says: /^(?:all|every|each|no) [\w -]{2,40} (?:in|of|on|at|for) (?:our|my) [\w -]{2,40} (?:is|are|must|has|have|uses?|starts?|ends?|goes|go) \S+/,
    unless: /\b(?:failing|broken|red|green|wrong|missing|down|slow|stuck|empty|gone|error\w*|bug\w*)\b/,
  },
  {
    kind: 'decision',
    says: new RegExp(
      `^(?:i|we)(?:'ve| have)?(?: all| already| finally| now| just)? (?:${DECIDED}) (?!(?:(?:to |on |for |to do )?(?:it|this|that|them|the|up|down|a)\\b))\\S+`,
    ),
    unless: /\bhere\b|\b(?:into the|the (?:variable|file|function|import|line)|it (?:to|into))\b/,
  },
  {
    kind: 'decision',
    says: /^(?:we're|we are) (?:going with|moving (?:from|to|off|away)|switching (?:to|from)|dropping|adopting|migrating|standardi[sz]ing|sticking with|keeping|not going)\b.{3,}/,
    unless: /\b(?:option|approach|one)\b/,
  },
  {
    kind: 'decision',
    says: /^(?:let's|let us|we'll|we will) (?:go|stick|stay) with (?!(?:it|this|that|the (?:first|second|third|last|other|former|latter|same)|option|approach|yours|your)\b)\S+/,
  },
  { kind: 'decision', says: /^decision: \S/ },
  {
    kind: 'correction',
    says: /^(?:i meant )?(?:the|my|our|we|i(?! was)|it's spelled|[\w-]+) (?!it\b|this\b|that\b)[^,]{0,60}\b(?:is|are|was|were|am|runs?|uses?|use|lives?|on|called|spelled)\b[^,]{1,60}, not (?!that\b|this\b|sure\b|yet\b|only\b|now\b|there\b|just\b|to\b|about\b)[\w. -]{1,40}$/,
    unless:
      /^(?:it|this|that|i meant the other|fix|change|rename|move|make|put|add|try|print|return|click|show|open|the (?:function|method|test|output|result|button|value))\b/,
  },
  { kind: 'correction', says: /^(?:we|i) use .{2,60} here(?:, not .{2,40})?$/ },
  { kind: 'correction', says: /^that's (?:wrong|not right|incorrect), (?:we|i|my|our)\b.{3,}/ },
  {
    kind: 'about-work',
    says: new RegExp(
      `^(?:the|our) (?!(?:[\\w-]+ )?${AT_HAND} )[\\w -]{3,40} (?:is|are) (?:(?:owned|maintained|staffed|hosted|funded|managed|handled|tagged|signed|reviewed|licensed|run) (?:by|on|under)|named after|paid for by|(?:written|built) (?:in|with|on) (?!(?:the|an?|this|that)\\b))`,
    ),
    unless: AMISS,
  },
  {
    kind: 'about-work',
    says: /^(?:production|staging|prod|the (?:repo|repository|monorepo|code ?base|project|design system|back ?end|front ?end|public api|website|mobile app|old \w+|legacy \w+|product|company|platform|pipeline|data warehouse|main branch|default branch|shop|intranet))(?: here)? (?:runs (?:in|on)|lives|uses?|is (?:written|built|hosted|frozen|called|named|based|deployed|made|read-only|founded)|was (?:founded|written|built) (?:in|by)|sits|stays|speaks|has to) (?!(?:fine|again|too|the wrong|more|up|over)\b)\S+/,
    unless: AMISS,
  },
  { kind: 'about-work', says: /^(?:there are|there's) (?:only )?[\w-]+ of us\b/ },
  {
    kind: 'about-work',
    says: /^(?:most|half|all|many|none|a (?:few|third|quarter)) (?:of )?(?:our|my) [\w -]{3,60}? (?:is|are|sits?|lives?|(?:still )?uses?|works?|have|has|runs?|speaks?|goes|go|comes?)\b/,
    unless: AMISS,
  },
  {
    kind: 'about-work',
    says: /^our (?:[\w-]+ ){1,4}(?:may not|must(?: not)?|cannot|can't|has to|have to) \S+/,
    unless: AMISS,
  },
  {
    kind: 'about-work',
    says: /^the (?:customers?|clients?|users?|owner|maintainer|deadline|reason (?:that )?we|contract|budget|product|convention|audience)\b.{2,60} (?:is|are) \S+/,
    unless: AMISS,
  },
  {
    kind: 'about-work',
    says: /^(?!(?:it|this|that|which|what|who)\b)[\w-]+ (?:looks after|signs off on|is (?:responsible for|in charge of)|takes care of) \S+/,
  },
  { kind: 'decision', says: /^for [\w -]{3,40},? we (?:stick|go|stay|went|settled) (?:to|with|on)\b/ },
];
