/** What is said of the moment, of the work at hand or of a world that is not: true as it is, and not worth keeping. Pure. */

const NOT_SAID_SO =
  /^(?:if (?!in doubt|you(?:'re| are) (?:unsure|in doubt|not sure|stuck)|an? |any |some\w+ |you (?:ever )?(?:need|have to|must) )|suppose|supposing|imagine|assume|assuming|pretend|act as|let's say|say|for example|for instance|e\.g\.|as an? (?!rule)|maybe|perhaps|what(?!ever)(?! (?:i|we|works|matters|helps|counts)\b.* is )|why|how|who|where|when will|when did|when do|should|would|could|can|shall|do i|do we|do you|did|does|is|are|was|were|has anyone|write|according to)\b/;
const HEDGED =
  /\b(?:might|maybe|perhaps|i guess|i suppose|i wish|i hope|i wonder|wondering|not sure|as if|would be (?:nice|good)|was thinking|considering)\b/;
const OF_NOW =
  /\b(?:right now|for now|just now|at the moment|currently|today|tonight|this (?:morning|afternoon|evening|time|run|one|file|function|method|class|variable|line|loop|branch|pr|pull request|commit|test|output|error|bug|version|change|diff|query|request|response|step|part|object|page|script|build|once)|that (?:one|line|file|function|test|commit|part)|these (?:lines|files|tests|errors)|not yet|anymore|again and again|still (?:seeing|getting|failing)|line \d+)\b|\b(?:yet|that|this|it|(?<!they(?: and |\/))them|those|these)$/;
const POINTS_AT =
  /\b(?:the|this|that) (?:first|second|third|last|latter|former|other|next|previous|above|below|current)(?: (?:one|option|approach|version|way|part|solution|variant))?\b|\b(?:option|approach|variant) [a-d\d]\b|\b(?:above|below)\b/;
const LASTING_SCOPE =
  /\b(?:in|on|at|for) (?:this|our|my|the) (?:project|repo|repository|codebase|team|company|machine|laptop|office|monorepo|workspace|organi[sz]ation)\b|\beverywhere\b|\bfrom now on\b/;
const SECRET =
  /\b(?:password|passphrase|passcode|secret key|api key|access token|private key|credit card|card number is|pin (?:code )?is|iban)\b.*(?:\bis\b|:|=)|\[redacted|\[private\]/;

export function isPassing(sentence: string): boolean {
  if (sentence.endsWith('?') || NOT_SAID_SO.test(sentence) || HEDGED.test(sentence)) return true;
  if (SECRET.test(sentence)) return true;
  return !LASTING_SCOPE.test(sentence) && (OF_NOW.test(sentence) || POINTS_AT.test(sentence));
}
