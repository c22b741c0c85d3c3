import { MEMORY_TYPES, type MemoryType } from '../categories.ts';

export interface ClassifyInput {
  readonly content: string;
  /** Why the agent thinks so, in its own words. */
  readonly context?: string | undefined;
  /** The number of separate episodes behind it. */
  readonly episodes?: number | undefined;
}

export interface Classification {
  readonly type: MemoryType;
  /** The rule that decided. */
  readonly rule: string;
  /** The question of the protocol's decision tree that the rule answers; 0 for the default. */
  readonly question: 0 | 1 | 2 | 3;
  /** The other types, likelier ones first, each with the rule that supports it, if any. */
  readonly alternatives: readonly { readonly type: MemoryType; readonly rule: string | undefined }[];
}

interface Rule {
  readonly name: string;
  readonly question: 1 | 2 | 3;
  readonly holds: (input: Reading) => boolean;
}

interface Reading {
  readonly text: string;
  readonly context: string;
  readonly episodes: number;
}

const DATE =
  /\b\d{4}-\d\d-\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}\b|\b\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:january|february|march|april|may|june|july|august|september|october|november|december)\b/;
const MOMENT =
  /\b(?:yesterday|today|tonight|this (?:morning|afternoon|evening|week|month)|last (?:night|week|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|just now|earlier|\d+ (?:minutes?|hours?|days?|weeks?|months?) ago)\b/;
const HAPPENED =
  /^(?:(?:the )?(?:user|person|customer|client) |(?:he|she|they|i) )?(?:has |have |had |just |recently )*(?:asked|completed|finished|mentioned|said|told|reported|requested|started|began|stopped|bought|ordered|booked|visited|met|called|attended|joined|left|signed|tried|complained|uploaded|shared|discussed|talked|watched|read|moved|travelled|traveled|cancelled|canceled|installed|migrated|decided|changed|switched|celebrated|received|sent|submitted|created|learned|learnt|went|saw|logged)\b/;
const FREQUENT =
  /\b(?:always|usually|often|never|rarely|sometimes|typically|normally|generally|tends? to|every (?:time|day|morning|evening|night|week|month|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|each (?:time|day|morning|week)|whenever|on (?:mon|tues|wednes|thurs|fri|satur|sun)days)\b/;
const ROUTINE =
  /\b(?:routine|habit|workflow|ritual|procedure|process|checklist|steps?|how to|rule of thumb)\b/;
const PREFERENCE = /\b(?:prefers?|would rather|wants|expects|insists on|favou?rs)\b/;
const MANNER =
  /\b(?:with|without|before|after|when|while|by \w+ing|using|first|instead of|rather than|step by step|in the form of|followed by|if|unless|then)\b/;
const OBSERVED =
  /\b(?:follow-?up|repeated(?:ly)?|pattern|observed|behaviou?r|habit|usually|always|each time|several times|keeps? asking|conversation|interactions?)\b/;
const FACT =
  /^(?:(?:the )?(?:user|person|customer|client|name)(?:'s [\w -]+?)? |[a-z]+'s [\w -]+? |(?:he|she|they|i) )?(?:is|are|am|was born|works?|lives?|has|have|owns?|knows?|speaks?|studies|studied|likes?|loves?|enjoys?|dislikes?|hates?|believes?|understands?|speciali[sz]es|manages|leads|teaches|plays|allergic|interested)\b/;
/** What somebody does, in the present tense: `runs the tests before every commit`, `I squash before merging`. */
const DOES =
  /^(?:(?:the )?(?:user|person|customer|client) |(?:he|she) )?(?!(?:is|was|has|does|this|its|his|hers|yes|as|us|plus|less|across|perhaps|thus|news)\b)[a-z]+(?<![sui])s [a-z"'`\d]/;
const WE_DO =
  /^(?:i|we|they) (?!(?:am|are|was|were|had|did|got|made|took|ran|wrote|found|bought|built|broke|\w+ed)\b)[a-z]+ .*\b(?:before|after|when|while|first|every|each|on|in the|at|by default|instead of|rather than|without)\b/;

const RULES: readonly Rule[] = [
  { name: 'event-with-date', question: 1, holds: ({ text }) => DATE.test(text) && !FREQUENT.test(text) },
  { name: 'event-with-moment', question: 1, holds: ({ text }) => MOMENT.test(text) && !FREQUENT.test(text) },
  {
    name: 'event-that-happened',
    question: 1,
    holds: ({ text }) => HAPPENED.test(text) && !FREQUENT.test(text),
  },
  { name: 'several-episodes', question: 2, holds: ({ episodes }) => episodes >= 2 },
  {
    name: 'fact-about-the-person',
    question: 2,
    holds: ({ text }) => FACT.test(text) && !FREQUENT.test(text) && !ROUTINE.test(text),
  },
  {
    name: 'general-preference',
    question: 2,
    holds: ({ text, context }) =>
      PREFERENCE.test(text) && !MANNER.test(text) && !FREQUENT.test(text) && !OBSERVED.test(context),
  },
  { name: 'repeated-behaviour', question: 3, holds: ({ text }) => FREQUENT.test(text) },
  { name: 'routine-or-how-to', question: 3, holds: ({ text }) => ROUTINE.test(text) },
  { name: 'preference-for-a-manner', question: 3, holds: ({ text }) => PREFERENCE.test(text) },
  {
    name: 'habit-in-the-present',
    question: 3,
    holds: ({ text }) => (DOES.test(text) || WE_DO.test(text)) && !FACT.test(text) && !HAPPENED.test(text),
  },
];

const TYPE_OF: Readonly<Record<1 | 2 | 3, MemoryType>> = { 1: 'episodic', 2: 'semantic', 3: 'procedural' };

/** Goes through the questions in order: the first rule that holds decides, the others show what else it could be. */
export function classify(input: ClassifyInput): Classification {
  const reading: Reading = {
    text: input.content.trim().toLowerCase(),
    context: (input.context ?? '').toLowerCase(),
    episodes: input.episodes ?? 0,
  };
  const holding = RULES.filter((rule) => rule.holds(reading));
  const first = holding[0];
  const type = first ? TYPE_OF[first.question] : 'episodic';
  const others = MEMORY_TYPES.filter((each) => each !== type).map((each) => ({
    type: each,
    rule: holding.find((rule) => TYPE_OF[rule.question] === each)?.name,
  }));
  others.sort((a, b) => Number(b.rule !== undefined) - Number(a.rule !== undefined));
  return { type, rule: first?.name ?? 'default', question: first?.question ?? 0, alternatives: others };
}
