/**
 * Sentences of no known form: kept if they have several signs of what lasts and none of the moment. Less certain than a
 * form, so one sign more or less decides, and whatever may speak of the work at hand speaks against. Pure.
 */
import { AMISS, AT_HAND, type ClaimKind } from './form.ts';

const SIGNS_OF_WHAT_LASTS: readonly RegExp[] = [
  /\b(?:i|i'm|i've|my|mine|me|myself|we|we're|we've|our|ours|us)\b/,
  /\b(?:usually|always|often|rarely|seldom|mostly|generally|normally|typically|never|hardly ever|only ever|by default|on purpose|tend to|sometimes|most of the time|every|each|weekly|daily|monthly|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mornings|evenings|weekends|at (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|noon|midnight))\b/,
  /\b(?:since|until|till|(?:19|20)\d\d|for (?:\w+ )?years|used to|last (?:spring|summer|autumn|fall|winter|year)|years ago|founded|grew up|originally|old name|first job|for good)\b/,
  /\b(?:teams?|compan(?:y|ies)|customers?|clients?|boss|manager|co-founder|mentor|engineers?|developers?|testers?|seniors?|interns?|releases?|sprint|retro|standup|deadline|flatmate|side project|build server|hosting|architecture|design review|team lead|maintainer|office|staging|production|monorepo|code ?base|budget|legal|qa|style guide|contracts?|audit|finance|invoic\w+|support line|department|colleagues?|licen[cs]es?|compliance|release process|on call)\b/,
  /\b(?:wife|husband|partner|son|daughter|kids?|children|baby|mother|father|mum|mom|dad|parents?|sister|brother|grand\w+|family|dog|cat|home|house|born|married|twins?|back|names|allerg\w+|blind|deaf|hearing aid|hands hurt|wrist|school|college|university|degree|job|chef|hobby|garden|gym|asleep|dinner|birthday|town|language|name|reading|licen[cs]e|browser|editor|shell|keyboard)\b/,
  /\b(?:rather|sooner|favou?rite|comfortable with|happiest|annoy\w*|matters|care for|fond|don't trust|be (?:blunt|brief|honest|strict|kind|frank)|like to|good (?:review|answer|commit))\b/,
  /\b(?:indentation|tabs|spaces|semicolons?|comments|emojis?|commit messages?|naming|(?:snake|camel|upper|lower) case|metric|migrations?|dependenc(?:y|ies)|docs|documentation|unit tests|scripts|commits|metrics|inheritance|inline styles|frameworks?|explanations?|bullet points|pull requests?|code reviews?|booleans|ternaries|mocks|early returns|type annotations|jargon|abbreviations|schema|units|variable names|alternatives|themes?|fragments|tickets|specs|error messages|networking|sql)\b/,
  /^(?:don't|do not|please be|never(?! (?:seen|had|heard|mind))|no(?=\s))\b|\b(?:must|may not|not allowed|has to|mandatory|forbid\w*|required|off limits|read-only|policy|convention|approved|approval|permission|should (?:never|always)|nobody|no one|whoever|belongs to|handles|owns?|in charge|is called|call our|reached)\b/,
];

/** Of all of a kind, or of nothing else. */
const OF_ALL =
  /\b(?:all (?:the|our|of)|only|half of|everyone|everybody|everything|anything|by hand|by law|not from|any of)\b|^(?!(?:this|is|was|yes|always|thanks|its|his|does|perhaps|sometimes|us|as|ours|yours|theirs)\b)(?:[a-z-]+ )?[a-z]{3,}s (?:are|go|explain|live|stay|come|belong|mean|start|end|never|don't|should|need) /;

const OF_THE_MOMENT: readonly RegExp[] = [
  AMISS,
  /\b(?:frozen|blocked|would (?!rather|sooner)\w+|stopped|waiting|meant)\b/,
  /^(?:this|that|it|it's|these|those|they|he|she|there(?! (?:is|are) (?:only )?(?:no|one) [\w ]+ (?:for|in|on) )|you|your|so|but|and|or|plus|also|speaking|as|wow|great|thanks|thank|sounds|sure|ok|let's|please (?:note|find))\b/,
  /\b(?:this|that's|it|it's|these|those|them|here|above|below|second|third|other|next|previous|same|one of|both|option|instead|look|there's? (?:a|an|the))\b/,
  /\b(?:now|again|still|just|yet|today|tonight|tomorrow|yesterday|already|currently|anymore|any more|minutes?|seconds?|this time|so far|at first|twice|almost|nearly|finally|once|lately|recently|soon|upcoming|definitely)\b/,
  /\b(?:i'm|we're|i am|we are|is|are|was|been|be) (?:\w+ly |also |really |just )?(?!nothing|something|anything|king|string)[a-z]+ing\b/,
  new RegExp(
    `\\b(?:the|a|an|that|this|your|my|our|to|of|in|on|two|three|some|no) (?:\\w+ )?(?:${AT_HAND}|tests?|files?|branch|commit|build|logs?|output|page|header|parser|cache|import|hook|step|message|suggestion|idea|answer|draft|question|worker|server|terminal|screen|gap|title|text|image|chart|graph|sound of)\\b`,
  ),
  /^(?:i|we) (?:\w+ly |also |really |just )?(?:want|need|think|guess|see|get|got|know|mean|understand|wonder|tried|try|hope|expect|feel|believe|found|did|didn't|wish|agree|apologi[sz]e|appreciate|suppose|met|bought|wanted|attended|joined|visited|finished|noticed|moved|had|went|made|came|took)\b(?! to (?:be|see) )/,
  /\b(?:i'll|we'll|i'd like|i would|i was thinking|i think|i'm sure|(?:i'm|i am) (?:\w+ ){0,2}(?:all set|glad|sorry|excited|interested|curious|impressed|intrigued|concerned|amazed)|i've (?:\w+ )?(?:been|had|heard|got|also|seen|noticed|found|tried|always wondered))\b/,
  /[!?]|^.{0,12}$/,
];
const MADE_OF_TASKS =
  /^(?:please )?(?:add|change|make|move|rename|remove|delete|show|give|write|try|fix|run|open|call|set|let|check|look|go|find|print|return|explain|describe|tell|help|create|convert|start|send|take|sort|wrap|split|update|revert|undo|ignore|continue|wait|format|clean|refactor|implement|generate|list|compare|replace|include|provide|suggest|develop|blend|enjoy|imagine|discuss|consider)\b/;
const HAPPENED =
  /^(?:i|we|my \w+|our \w+) (?:also |never |always )?(?:[a-z]{3,}ed|ran|wrote|broke|saw|said|thought|forgot|lost|gave|find|respond|can't (?:wait|imagine|see|find)|don't (?:see|want|think|know|understand|get))\b|\b(?:did|went|made|were (?!bought|founded)|took|found|bought|would have|respond)\b/;
/** Who reports or would have something remembered does not speak for themselves. */
const REPORTED = /\b(?:says?|said|asked|told|writes|claims|according|forget|store|dear|the (?:user|docs))\b/;

/** A name within the sentence. People who speak of themselves name whatever they have just met. */
const NAME = /[^.!?:]\s(?!I\b)["“]?\p{Lu}\p{L}+/u;
const ENOUGH = 2;
const MOST_WORDS = 18;

/** Undefined for what is more likely said of the moment. */
export function signsIn(sentence: string, spelled: string): ClaimKind | undefined {
  if (sentence.split(' ').length > MOST_WORDS) return undefined;
  if ([MADE_OF_TASKS, HAPPENED, REPORTED].some((sign) => sign.test(sentence))) return undefined;
  if (OF_THE_MOMENT.some((sign) => sign.test(sentence))) return undefined;
  const signs = SIGNS_OF_WHAT_LASTS.filter((sign) => sign.test(sentence)).length;
  const named = !/^(?:i|i'm|i've)\b/.test(sentence) && NAME.test(spelled) ? 1 : 0;
  const general = OF_ALL.test(sentence) ? 1 : 0;
  return signs + named + general < ENOUGH ? undefined : kindOf(sentence);
}

function kindOf(sentence: string): ClaimKind {
  if (/^(?:don't|do not|never|always|no|prefer|put|use|keep|stop|avoid|assume|be|please)\b/.test(sentence))
    return 'rule';
  if (/^(?:i|i'm|i've|my|me)\b/.test(sentence)) return 'about-person';
  return /\b(?:we|our|us|team|company|customers?|release|production)\b/.test(sentence)
    ? 'about-work'
    : 'about-person';
}
