/** The forms in which people state what is worth knowing of them, in lower case and without what leads in. Pure. */

export type ClaimKind =
  | 'preference'
  | 'habit'
  | 'rule'
  | 'about-person'
  | 'about-work'
  | 'decision'
  | 'correction';

interface Form {
  readonly kind: ClaimKind;
  readonly says: RegExp;
  /** The same words in another sense. */
  readonly unless?: RegExp;
}

const OFTEN =
  '(?:always|never|usually|normally|generally|typically|rarely|seldom|often|mostly|hardly ever|sometimes|tend to)';
const VERY =
  '(?:(?:really|strongly|much|very much|generally|usually|always|definitely|absolutely|just|still|personally|particularly) )?';
/** What a word points at is known only in the conversation. */
const POINTER = '(?:it|this|that|these|those|them|him|her|you|how|what|when|where|the way)\\b';
const HERE =
  '(?:in|on|at|for|with|inside) (?:this|our|my|the) (?:project|repo|repository|code ?base|team|company|machine|laptop|desktop|office|monorepo|workspace|organi[sz]ation|house)';

const KIN =
  'wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|spouse|son|daughter|kids?|child(?:ren)?|baby|mother|father|mum|mom|dad|parents?|sister|brother|siblings?|twins?|grand(?:mother|father|son|daughter|parents|ma|pa)|uncle|aunt|cousin|niece|nephew|in-laws';
const PETS = 'dog|cat|cats|dogs|horse|rabbit|parrot|hamster|pets?|puppy|kitten';
const OWN_THINGS =
  'editor|shell|terminal|os|operating system|ide|keyboard(?: layout)?|name|first name|last name|surname|nickname|pronouns|birthday|date of birth|age|time ?zone|locale|country|city|town|hometown|native language|mother tongue|first language|language|nationality|religion|job|role|profession|occupation|employer|company|boss|manager|team|colleague|coworker|co-worker|assistant|mentor|github handle|handle|user ?name|e-?mail(?: address)?|phone(?: number)?|laptop|computer|machine|main machine|workstation|monitor|phone|car|bike|house|flat|apartment|doctor|dentist|therapist|diet|blood type|eyesight|hearing|hobby|hobbies|instrument|salary|working hours|work(?:ing)? week|day off|commute|favou?rite [\\w -]{2,30}|preferred [\\w -]{2,30}|usual [\\w -]{2,30}|go-to [\\w -]{2,30}|stack|tech stack|background|degree|surname|school|university|thesis|dissertation|book|startup|start-up|blog|website|newsletter|surgery|pharmacy|flight|wedding|anniversary';
const TRAIT =
  'vegan|vegetarian|pescatarian|lactose|gluten|allergic|intolerant|diabetic|asthmatic|colou?r[- ]?blind|blind|deaf|hard of hearing|dyslexic|autistic|left-handed|right-handed|ambidextrous|pregnant|married|divorced|single|engaged|retired|self-employed|unemployed|freelance|bilingual|trilingual|fluent|native|dutch|german|french|spanish|italian|british|american|canadian|indian|chinese|japanese|korean|polish|swedish|norwegian|danish|finnish|irish|scottish|welsh|australian|portuguese|brazilian|mexican|turkish|greek|russian|ukrainian|kenyan|nigerian|muslim|jewish|christian|catholic|hindu|buddhist|introverted|extroverted|claustrophobic|afraid of|scared of|terrified of|based in|based out of|from [\\w]|originally from|responsible for|in charge of|on call|new to|used to working|fond of|keen on|into |passionate about|good at|bad at|terrible at|colou?rblind|nearsighted|short-sighted|sensitive to|training for|studying|saving (?:up )?for|working (?:as|at|for|part|from home)|writing (?:a|my) (?:book|thesis|novel|dissertation|phd)|moving to|getting married|going on (?:leave|parental|maternity|paternity)|expecting|\\d{1,2} years old|not a (?:big |great |huge )?fan of|no fan of|not a (?:native|morning|coffee|dog|cat|tea|fan|night)';
const NO_TRAIT =
  /^(?:i'm|i am) (?:a (?:bit|little|lot|step|couple|moment|minute|second)|an idiot|the one|from the|learning that)/;
const LIFE =
  'live (?!with this)|lived|work (?:as|at|for|in|from|until|nights|shifts|part|full|on (?:the .{2,30} team|week|mon|tues|wednes|thurs|fri|satur|sun))|worked (?:as|at|for)|study|studied|teach|taught|manage (?:a|the .{2,30}) (?:team|group|shop|store|people)|manage a|lead (?:a|an|the)|own (?:a|an|two|three|my)|drive an?|ride an?|play (?:the|in|for|chess|tennis|football|basketball|guitar|piano|bass|drums)|speak (?!to|with)|run (?:a|an|my|the) (?:[\\w-]+ )?(?:team|group|club|shop|business|company|bakery|podcast|blog|farm|restaurant|studio|school|marathon|newsletter|charity)|run (?:fedora|debian|ubuntu|arch|linux|macos|windows|nixos|freebsd|mint|[\\w ]+ on my)|grew up|moved (?:to|from) (?!(?:the|a|an|this|using)\\b)|come from|graduated|was born|commute|volunteer|coach|maintain (?:the|a|an)|wear|collect (?:stamps|coins|records|vinyl|books|art)|sing|cycle to|swim|suffer from|started at|joined (?!(?:the (?:tables?|strings?))\\b)|go by|go to (?:the gym|bed|church|school)|take (?:a break|insulin|medication|my)';
const HELD =
  'allerg(?:y|ies)|adhd|autism|diabetes|asthma|migraines?|epilepsy|arthritis|dyslexia|coeliac|celiac|crohn|tinnitus|anxiety|depression|rsi|disabilit(?:y|ies)|eyesight|insomnia|phd|degree|licen[cs]e|mortgage|macbook|thinkpad|laptop|iphone|android|pixel|car|house|flat|garden|bakery|shop|company|startup|standing meeting|standup|stand-up|weekly|meeting .*\\b(?:every|each)|appointment .*\\b(?:every|each)|admin rights|nationality|citizenship|passport|accent|deadline every|team of';
const CONVENTION =
  'deploy|ship|release|support|target|use|host|keep|store|follow|name|write|log|tag|call|merge|squash|rebase|pair|review|version|prefer|require|publish|document|pin|vendor|lint|format|test|track|meet|rotate|encrypt|back up|monitor|page|number|generate|validate|sign|cache|bundle|compile|branch|work|treat|avoid|ban|forbid|allow|accept|speak|bill|charge|sell|serve|operate|maintain';
const DECIDED =
  'decided|agreed|settled|chose|chosen|switched|migrated|moved|standardi[sz]ed|adopted|picked|dropped|banned|committed|opted|retired|replaced|upgraded';

const FORMS: readonly Form[] = [
  // Likes and dislikes.
  {
    kind: 'preference',
    says: new RegExp(`^(?:i|we|my team|our team|the team) ${VERY}prefers? (?!${POINTER})`),
    unless: /^\w+ prefer (?:the \w+ one|not to do)/,
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
  // Habits.
  {
    kind: 'habit',
    says: new RegExp(`^(?:i|we) (?:almost )?${OFTEN} (?:\\w+ly )?[a-z]+`),
    unless:
      /^(?:i|we) (?:almost )?\w+(?: ever)?(?: to)? (?:get|got|see|saw|seen|forget|forgot|lose|have to|had|thought|said|knew|expected|wanted|asked|run into|end up|mean|meant|understand|remember|assumed|reali[sz]ed|noticed|heard|imagined|considered|win|love a)\b|^\w+ \w+(?: \w+)? (?:it|this|that|them)\b/,
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
  // Standing instructions.
  {
    kind: 'rule',
    says: /^(?:always|never) (?!mind\b|the\b|a\b|an\b|i\b|we\b|you\b|again\b|ending\b|forget$)[a-z]+ \w+/,
    unless:
      /^(?:always|never) (?:returns?|fails?|prints?|shows?|display|render|throw|redirect|respond|emit|trigger|default|happens?|be|the same|open the|call the|send the|set the|ending|gonna|seen|got|heard|worked|works)\b/,
  },
  { kind: 'rule', says: /^(?:don't|do not) ever [a-z]+ \w+/ },
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
    says: new RegExp(`^${HERE},? .{6,}`),
    unless: /\b(?:error|broken|fails?|failing|bug|there is|there's)\b/,
  },
  {
    kind: 'rule',
    says: new RegExp(
      `^(?:we|i) (?:use|do|call|put|keep|name|write|run|have|squash|follow) .{2,80}\\b${HERE}$`,
    ),
  },
  // The person.
  {
    kind: 'about-person',
    says: /^(?:please |just |you can |you may )*call me [a-z]/,
    unless: /\b(?:back|when|if|later|at)\b/,
  },
  { kind: 'about-person', says: /^(?:everyone|everybody|people|friends|colleagues) (?:calls?|knows?) me\b/ },
  {
    kind: 'about-person',
    says: new RegExp(
      `^(?:i'm|i am) (?:also |still |actually |originally |currently |a bit |really |very |half |now )?(?:${TRAIT})`,
    ),
    unless: /\b(?:this|that|the (?:error|output|problem|bug|result|test|page|file))\b/,
  },
  {
    kind: 'about-person',
    says: /^(?:i'm|i am) (?:an?|the) (?:[\w-]+ ){0,5}[\w-]+/,
    unless: new RegExp(
      `${NO_TRAIT.source}|\\b(?:teapot|customer with|user with|bit|hurry|loop|loss|meeting|call|test)\\b`,
    ),
  },
  {
    kind: 'about-person',
    says: new RegExp(`^(?:i|my (?:${KIN})) (?:have |has |also |now |still |only |mostly )?(?:${LIFE})`),
    unless:
      /\b(?:through (?:this|the)|around (?:this|it)|fine\b|with (?:the|this) (?:code|file|variable)|into (?:a|an|the) (?:error|problem|issue|bug)|the (?:tests?|command|script|build)$|it$|this\b)/,
  },
  {
    kind: 'about-person',
    says: /^i(?:'ve| have) (?:been (?:a |an |programming|coding|working (?:as|at|for|in)|living|teaching|playing|learning|studying|using (?!it|this|that)|practi[cs]ing|collecting|vegan|vegetarian|married)\b.*\b(?:since|for|\d+)\b|never (?:used|worked|been|tried|had|owned|learned|lived|eaten|flown)|always (?:worked|lived|used)|lived|worked (?:at|for|as|in|with)|taught|played|studied)/,
    unless: /\b(?:debugging|fixing|staring|looking|trying|waiting)\b/,
  },
  {
    kind: 'about-person',
    says: new RegExp(
      `^i(?:'ve| have)(?: got)? (?:an?|two|three|four|five|six|\\d{1,2}|no|some|several|twin|the|my own|severe|mild|bad|chronic)? ?(?:[\\w.-]+ ){0,3}(?:${KIN}|${PETS}|${HELD})\\b`,
    ),
  },
  {
    kind: 'about-person',
    says: /^i have (?:adhd|asthma|diabetes|dyslexia|migraines|epilepsy|arthritis|tinnitus|autism|coeliac|celiac)/,
  },
  {
    kind: 'about-person',
    says: /^i (?:only |mostly |also |still |now )?(?:use|code in|program in|read|eat|drink|buy|write) (?!(?:this|that|it|these|those|the (?!first)|an? (?:loop|map|list|variable|function|regex|hook|class|query|for|while|set|switch))\b)\S+/,
    unless:
      /\b(?:here|in the (?:loop|function|test)|below|to (?!\w+day|work\b|bed\b)[a-z]+|somewhere|about (?:it|this|that))\b/,
  },
  {
    kind: 'about-person',
    says: /^i (?:don't|do not|can't|cannot|won't|will not|never) (?:use|drink|eat|smoke|drive|fly|speak|own|approve|accept|watch|work|travel|have (?:admin|root|access to|a (?:car|phone|gpu|mac|driving|licen[cs]e)|any (?:kids|children|pets|siblings|experience))|take (?:meetings|calls|sugar)|do (?:meetings|calls|code reviews|weekends)|read (?:long|news|e-?mails?|docs?)|merge|deploy|allow|trust|wear|celebrate|cook|tolerate|eat)\b/,
    unless: /\b(?:this|that|it|yet|anymore|the (?:second|other|file|page|output))\b/,
  },
  { kind: 'about-person', says: /^i refuse to \w+/, unless: /\bbelieve\b/ },
  {
    kind: 'about-person',
    says: new RegExp(
      `^my (?:new |old |main |current |first |second |own |eldest |oldest |youngest |little |older |younger |late |ex-?)*(?:${OWN_THINGS})(?:'s [\\w -]{2,30})?(?: on [\\w .]+| at [\\w .]+| for [\\w .]+)? (?:is|are|runs|has|lives|works|owns|starts?|begins?) (?!(?:not|coming up|about to|getting)\\b)`,
    ),
    unless:
      /\b(?:broken|slow|failing|frozen|stuck|down|behind|not (?:working|responding|connecting)|acting up|overheating|dead|giving|running out|red|green)\b/,
  },
  {
    kind: 'about-person',
    says: new RegExp(
      `^my (?:${KIN}|${PETS}|boss|manager|doctor|colleague [\\w]+|coworker [\\w]+)(?:'s [\\w -]{2,30})? (?!says|thinks|asks|wants|claims|has been|does|was (?!born))(?:[a-z]+s|and i (?:live|have|are))\\b`,
    ),
    unless: /\b(?:says|said|asked|wants)\b/,
  },
  {
    kind: 'about-person',
    says: /^my (?:colleague|coworker|co-worker|teammate) \w+ (?:is|owns|leads|maintains|runs|works|handles|reviews)\b/,
  },
  // Their work.
  {
    kind: 'about-work',
    says: /^our (?!last|latest|next|best|guess|problem|question|bug|error|test\b|tests\b|build\b|function|method|class|component|variable|query|endpoint|handler|code\b|loop|table|form\b|button|page|script|app is|app has)(?:[\w-]+ ){1,5}(?:is|are|runs?|lives?|uses?|follows?|has|have|starts?|ends?|goes?|requires?|supports?|means|sits?|stays?|ships?)\b/,
    unless:
      /\b(?:broken|failing|down|flaky|slow|red|late|back up|stuck|wrong|out of date|leaking|unhappy|angry|on fire|not working|timing out|crashing)\b/,
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
    says: /^(?:we're|we are) (?:an?|the|in|based|on|a team|not an?|all|mostly|fully|soc|gdpr|hipaa|iso)\b.{3,}/,
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
  // Decisions.
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
  // Corrections: what is, and what was believed.
  {
    kind: 'correction',
    says: /^(?:i meant )?(?:the|my|our|we|i(?! was)|it's spelled|[\w-]+) (?!it\b|this\b|that\b)[^,]{0,60}\b(?:is|are|was|were|am|runs?|uses?|use|lives?|on|called|spelled)\b[^,]{1,60}, not (?!that\b|this\b|sure\b|yet\b|only\b|now\b|there\b|just\b|to\b|about\b)[\w. -]{1,40}$/,
    unless:
      /^(?:it|this|that|i meant the other|fix|change|rename|move|make|put|add|try|print|return|click|show|open|the (?:function|method|test|output|result|button|value))\b/,
  },
  { kind: 'correction', says: /^(?:we|i) use .{2,60} here(?:, not .{2,40})?$/ },
  { kind: 'correction', says: /^that's (?:wrong|not right|incorrect), (?:we|i|my|our)\b.{3,}/ },
];

/** Undefined for a sentence that says nothing lasting. */
export function claimIn(sentence: string): ClaimKind | undefined {
  return FORMS.find(({ says, unless }) => says.test(sentence) && !unless?.test(sentence))?.kind;
}
