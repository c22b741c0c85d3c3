/** How people speak of themselves. */
import { AMISS, AT_HAND, type Form } from './form.ts';

const KIN =
  'wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|spouse|son|daughter|kids?|child(?:ren)?|baby|mother|father|mum|mom|dad|parents?|sister|brother|siblings?|twins?|grand(?:mother|father|son|daughter|parents|ma|pa)|uncle|aunt|cousin|niece|nephew|in-laws';
const PETS = 'dog|cat|cats|dogs|horse|rabbit|parrot|hamster|pets?|puppy|kitten';
const OWN_THINGS =
  'editor|shell|terminal|os|operating system|ide|keyboard(?: layout)?|name|first name|last name|surname|nickname|pronouns|birthday|date of birth|age|time ?zone|locale|country|city|town|hometown|native language|mother tongue|first language|language|nationality|religion|job|role|profession|occupation|employer|company|boss|manager|team|colleague|coworker|co-worker|assistant|mentor|github handle|handle|user ?name|e-?mail(?: address)?|phone(?: number)?|laptop|computer|machine|main machine|workstation|monitor|phone|car|bike|house|flat|apartment|doctor|dentist|therapist|diet|blood type|eyesight|hearing|hobby|hobbies|instrument|salary|(?:working|office|core) hours|work(?:ing)? week|day off|commute|favou?rite [\\w -]{2,30}|preferred [\\w -]{2,30}|usual [\\w -]{2,30}|go-to [\\w -]{2,30}|stack|tech stack|background|degree|surname|school|university|thesis|dissertation|book|startup|start-up|blog|website|newsletter|surgery|pharmacy|flight|wedding|anniversary';
const TRAIT =
  'vegan|vegetarian|pescatarian|lactose|gluten|allergic|intolerant|diabetic|asthmatic|colou?r[- ]?blind|blind|deaf|hard of hearing|dyslexic|autistic|left-handed|right-handed|ambidextrous|pregnant|married|divorced|single|engaged|retired|self-employed|unemployed|freelance|bilingual|trilingual|fluent|native|dutch|german|french|spanish|italian|british|american|canadian|indian|chinese|japanese|korean|polish|swedish|norwegian|danish|finnish|irish|scottish|welsh|australian|portuguese|brazilian|mexican|turkish|greek|russian|ukrainian|kenyan|nigerian|muslim|jewish|christian|catholic|hindu|buddhist|introverted|extroverted|claustrophobic|afraid of|scared of|terrified of|based in|based out of|from [\\w]|originally from|responsible for|in charge of|on call|new to|in the .{2,30} (?:office|time ?zone)|used to working|fond of|keen on|into |passionate about|good at|bad at|terrible at|colou?rblind|nearsighted|short-sighted|sensitive to|training for|studying|saving (?:up )?for|working (?:as|at|for|part|from home)|writing (?:a|my) (?:book|thesis|novel|dissertation|phd)|moving to|getting married|going on (?:leave|parental|maternity|paternity)|expecting|\\d{1,2} years old|not a (?:big |great |huge )?fan of|no fan of|not a (?:native|morning|coffee|dog|cat|tea|fan|night)';
const NO_TRAIT =
  /^(?:i'm|i am) (?:a (?:bit|little|lot|step|couple|moment|minute|second)|an idiot|the one|from the|learning that)/;
const LIFE =
  'live (?!with this)|lived|work (?:as|at|for|in|from|until|nights|shifts|part|full|on (?:the .{2,30} team|week|mon|tues|wednes|thurs|fri|satur|sun))|worked (?:as|at|for)|study|studied|teach|taught|manage (?:a|the .{2,30}) (?:team|group|shop|store|people)|manage a|lead (?:a|an|the)|own (?:a|an|two|three|my)|drive an?|ride an?|play (?:the|in|for|chess|tennis|football|basketball|guitar|piano|bass|drums)|speak (?!to|with)|run (?:a|an|my|the) (?:[\\w-]+ )?(?:team|group|club|shop|business|company|bakery|podcast|blog|farm|restaurant|studio|school|marathon|newsletter|charity)|run (?:fedora|debian|ubuntu|arch|linux|macos|windows|nixos|freebsd|mint|[\\w ]+ on my)|grew up|moved (?:to|from) (?!(?:the|a|an|this|using)\\b)|come from|graduated|was born|commute|volunteer|coach|maintain (?:the|a|an)|wear|collect (?:stamps|coins|records|vinyl|books|art)|sing|cycle to|swim|suffer from|started at|joined (?!(?:the (?:tables?|strings?))\\b)|go by|go to (?:the gym|bed|church|school)|learned to (?:program|code|read|write|cook|drive|swim)|keep (?:kosher|halal|bees|chickens|horses|goats|a (?:diary|journal))|type with|write with my|can only (?:be reached|work|meet|use|type|join|eat|read|hear|walk|sleep)|can (?:hardly|barely) (?:see|hear|read|walk|type)|take (?:a break|insulin|medication|my)';
const HELD =
  'allerg(?:y|ies)|adhd|autism|diabetes|asthma|migraines?|epilepsy|arthritis|dyslexia|coeliac|celiac|crohn|tinnitus|anxiety|depression|rsi|disabilit(?:y|ies)|eyesight|insomnia|phd|degree|licen[cs]e|mortgage|macbook|thinkpad|laptop|iphone|android|pixel|car|house|flat|garden|bakery|shop|company|startup|standing meeting|standup|stand-up|weekly|meeting .*\\b(?:every|each)|appointment .*\\b(?:every|each)|admin rights|nationality|citizenship|passport|accent|deadline every|team of';

export const ABOUT_PERSON: readonly Form[] = [
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
      `${NO_TRAIT.source}|\\b(?:customer with|user with|bit|hurry|loop|loss|meeting|call|test)\\b`,
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
  {
    kind: 'about-person',
    says: /^i was (?:an? (?!bit|little|moment|fool|step|second|minute)[\w -]+ (?:before|until|for|in|at)\b|diagnosed|born|raised|trained|adopted|educated)/,
  },
  {
    kind: 'about-person',
    says: /^i(?:'ve| have) (?:given up|quit|taken up) (?!(?:on|it|this|that|the|trying|looking)\b)\w+/,
  },
  {
    kind: 'about-person',
    says: /^my (?:doctor|therapist|dentist|physio\w*|cardiologist|dietitian|optician) (?:told me|asked me|wants me|says i (?:should|must|have))\b/,
  },
  { kind: 'about-person', says: /^i refuse to \w+/, unless: /\bbelieve\b/ },
  {
    kind: 'about-person',
    says: new RegExp(
      `^my (?:new |old |main |current |first |second |own |eldest |oldest |youngest |little |older |younger |late |ex-?)*(?:${OWN_THINGS})(?:'s [\\w -]{2,30})?(?: on [\\w .]+| at [\\w .]+| for [\\w .]+)? (?:only )?(?:is|are|runs|has|lives|works|owns|starts?|begins?) (?!(?:not|coming up|about to|getting)\\b)`,
    ),
    unless:
      /\b(?:broken|slow|failing|frozen|stuck|down|behind|not (?:working|responding|connecting)|acting up|overheating|dead|giving|running out|red|green|full of|open|empty)\b/,
  },
  {
    kind: 'about-person',
    says: new RegExp(
      `^my (?:${KIN}|${PETS}|boss|manager|doctor|colleague [\\w]+|coworker [\\w]+)(?:'s [\\w -]{2,30})? (?!says|thinks|asks|wants|claims|has been|does|was (?!born))(?:[a-z]+s|was an?|and i (?:live|have|are|share|work|speak|own|run))\\b`,
    ),
    unless: /\b(?:says|said|asked|wants)\b/,
  },
  {
    kind: 'about-person',
    says: /^my (?:colleague|coworker|co-worker|teammate) \w+ (?:is|owns|leads|maintains|runs|works|handles|reviews)\b/,
  },
  {
    kind: 'about-person',
    says: /^(?:i'm|i am) (?:more of an? |more (?:comfortable|at home) |the only (?:one|person|woman|man|\w+er)\b|one of the (?:few|only)|on (?:parental|maternity|paternity|sick|annual|study) leave|(?:away|on (?:leave|holiday|vacation)) (?:from|until|in|every|all)|(?:usually|always|never|rarely|mostly) \w+|happiest|at my best)/,
    unless: /\b(?:seeing|getting|this|that|it|wrong)\b/,
  },
  {
    kind: 'about-person',
    says: new RegExp(
      `^i(?:'ve got| have) (?:two|three|four|five|six|seven|eight|\\d{1,2}) (?!(?:\\w+ )?(?:${AT_HAND}|errors?|questions?|options?|tabs?|tests?|files?|branch(?:es)?|ideas?|problems?|issues?|bugs?|commits?|minutes?|hours?|days?|things?|versions?|choices?|points?|left)\\b)\\w+`,
    ),
  },
  {
    kind: 'about-person',
    says: /^i (?:(?:took over|inherited) \w+ .{3,40} (?:from|in|last|when)|(?:learned|learnt|studied) (?!(?:something|that|a lot|it|this|the)\b)\w+ (?:\w+ )?(?:on|from|in|at|with|as|by)|(?:founded|married|got married|retired|emigrated|qualified)\b)/,
    unless: AMISS,
  },
  {
    kind: 'habit',
    says: /^i (?:keep|do|store|write|take|track|plan|spend) (?:my|most of my|all my|all of my) (?!(?:own )?(?:changes?|code|file|test|branch|commit)\b)[\w -]{2,40} (?:in|on|with|at|by)\b/,
    unless: AMISS,
  },
  {
    kind: 'habit',
    says: /^i go (?!(?:try|trying|looking|going)\b)[a-z]+ing (?:at|every|on|before|after|most|in|with)\b/,
  },
  { kind: 'about-person', says: /\band my (?:new )?(?:sur|last |first |nick)?name is(?: now)? \S+/ },
];
