/** What people say that they do, whatever it is: asked last, because it knows of what is said only what it is not. */
import type { Form } from './form.ts';

/** Verbs of what happens, is thought or is wished just then. */
const OF_THE_MOMENT =
  "get|got|see|saw|need|want|have|had|has|think|thought|know|knew|mean|meant|guess|hope|wonder|understand|expect|try|keep|remember|forget|forgot|feel|felt|agree|wish|suppose|notice|wait|look|assume|believe|ask|suggest|propose|add|call|run|ran|fix|change|move|rename|remove|delete|send|return|print|show|load|open|close|create|make|made|do|did|don't|didn't|am|are|is|was|were|will|would|could|can|can't|cannot|should|may|might|must|just|also|only|still|now|then|found|find|took|went|came|wrote|put|set|said|say|tell|told|gave|give|lost|lose|left|leave|began|start|stop|end|let|like|love|hate|enjoy|prefer|please|use|used|import|export|pass|catch|throw|click|press|type|copy|paste|insert|hit|miss|fail|build|install|update|merge|push|pull|commit|checked|tried|go|come|thank|appreciate|accept|doubt|bet|promise|insist|worry|care|mind|repeat|declare|define|initialize|iterate|fetch|store|read|write|parse|sort|filter|map|wrap|log|test|deploy|ship|hardly|barely|really|actually|even|ever|never|always|to|and|or|who|in|on|at|of|for|with|from|not";

export const HABITS: readonly Form[] = [
  {
    // Of nothing at hand, so it holds beyond it. `We` speaks of a program as often as of people.
    kind: 'habit',
    says: new RegExp(
      `^(?:i|my (?:wife|husband|partner) and i) (?!(?:${OF_THE_MOMENT}|count|second|gather)\\b)(?![a-z]+ed\\b)[a-z]+ (?!to\\b|[a-z]+ing\\b)\\S+`,
    ),
    unless:
      /\b(?:the (?!(?:hosting|gym|train|bus|weekend|evening|morning|night|winter|summer)s?\b)|it|its|this|that|these|those|them|they|he|she|him|his|her|you|your|here|there|now|then|again|already|first|next|today|tomorrow|yesterday|an? (?:error|bug|warning|function|class|variable|branch|test|file|loop|line|hour|minute|question|problem|look|break|bit|lot|few|reply)|errors?|bugs?|warnings?|tests?|lines?|\d+)\b/,
  },
];
