import type { Action } from './actions.ts';

type Schema = Readonly<Record<string, unknown>>;

/** A tool for every day: one operation, or a few of a group, with the arguments that an agent needs for them. */
export interface CoreTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Ids of actions; with more than one, the argument `action` chooses. */
  readonly actions: readonly string[];
  /** The arguments that are listed. All others of the action are taken too. */
  readonly shown: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
  readonly output?: Schema;
  /** What of the answer an agent has use for: it has just written the rest itself. */
  readonly keeps?: readonly string[];
}

const text = { type: 'string' } as const;
const says = (description: string) => ({ type: 'string', description });
const texts = (description?: string) => ({ type: 'array', items: text, ...(description && { description }) });
const wait = { type: 'number', minimum: 0, maximum: 50, description: 'Seconds to wait for a person.' };
const object = (properties: Schema, required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
});
const project = { project: says('Default: yours.') };

const QUESTION_OUTPUT = object(
  {
    question_id: text,
    state: { enum: ['waiting', 'answered', 'declined', 'withdrawn'] },
    answer: { type: ['string', 'null'] },
    words: text,
  },
  ['question_id', 'state', 'words'],
);

/** At most 8,000 characters as `tools/list` answers them: a test counts. */
export const CORE_TOOLS: readonly CoreTool[] = [
  {
    name: 'orient',
    title: 'Orient yourself',
    description:
      'Call this first: handoffs, open questions, facts, recent work and decisions of the project, as text. Gives you a callsign.',
    actions: ['context.orient'],
    shown: {
      ...project,
      max_tokens: { type: 'integer', description: 'Default 4000.' },
      window_days: { type: 'integer', description: 'How far to look back; default 14.' },
    },
    required: [],
  },
  {
    name: 'deposit',
    title: 'Record what happened',
    description:
      'Record what you did, decided and left open. Call it at every decision and before you stop: whoever comes next starts from it.',
    actions: ['context.deposit'],
    shown: {
      title: says('One line: what happened.'),
      description: says('What was done and why.'),
      decisions_made: texts('Each with its reason.'),
      open_questions: texts(),
      handoff_note: says('What whoever continues should know and do.'),
      files: texts('Paths that this is about: Baton later says which have changed.'),
      review_type: { enum: ['none', 'human', 'agent'], description: 'Ask for a review.' },
      parent_package_id: says('What this continues or corrects.'),
      package_type: says('standard, milestone, decision, handoff, analysis'),
      tags: texts(),
      ...project,
    },
    required: ['title'],
    output: object({ package_id: text, project_id: text, status: text }, ['package_id']),
    keeps: ['package_id', 'project_id', 'status', 'review_type', 'warning'],
  },
  {
    name: 'search',
    title: 'Search what is known',
    description: 'Search packages and facts by meaning and words, best first.',
    actions: ['search.search'],
    shown: { query: text, limit: { type: 'integer' }, ...project },
    required: ['query'],
    output: object({ hits: { type: 'array' } }, ['hits']),
  },
  {
    name: 'facts',
    title: 'Facts',
    description:
      'What is true: query it (now, or as_of a time, or its history), assert it (replaces the value of the same subject and predicate), or invalidate it.',
    actions: ['facts.query', 'facts.assert', 'facts.invalidate'],
    shown: {
      subject: says('assert, invalidate: required.'),
      predicate: says('assert, invalidate: required.'),
      value: says('assert: required.'),
      as_of: says('query: RFC 3339 or a date.'),
      history: { type: 'boolean', description: 'query: with what is no longer true.' },
      source_package_id: says('assert: the package that says so.'),
      files: texts('assert: paths it is about.'),
      ...project,
    },
    required: ['action'],
    output: { type: 'object' },
  },
  {
    name: 'may_i',
    title: 'Ask for permission',
    description:
      'Ask before you act where rules apply. Answers in words: allowed (then do it, once), needs a person (they are asked; ask again later), or denied with the reason.',
    actions: ['governance.may'],
    shown: {
      action: says('Id of the action, such as git.push.'),
      parameters: { type: 'object', description: 'Exactly what you would do it with.' },
      goal: says('What for.'),
      wait,
    },
    required: ['action'],
    output: object(
      {
        decision: { enum: ['allowed', 'needs_person', 'denied'] },
        words: text,
        rule: { type: ['string', 'null'] },
      },
      ['decision', 'words'],
    ),
  },
  {
    name: 'ask_person',
    title: 'Ask a person',
    description:
      'Ask the people of the project what only they can know. It waits in their inbox; work on meanwhile.',
    actions: ['questions.ask'],
    shown: {
      question: text,
      details: says('What they need to know to answer.'),
      options: texts('Answers to choose from.'),
    },
    required: ['question'],
    output: QUESTION_OUTPUT,
  },
  {
    name: 'get_answer',
    title: 'Read an answer',
    description: 'What a person answered to ask_person.',
    actions: ['questions.answer'],
    shown: { question_id: text, wait },
    required: ['question_id'],
    output: QUESTION_OUTPUT,
  },
];

/** By name, with the actions that each stands for. */
export function coreActions(
  tool: CoreTool,
  actions: ReadonlyMap<string, Action>,
): ReadonlyMap<string, Action> {
  return new Map(
    tool.actions.map((id) => {
      const action = actions.get(id);
      if (!action) throw new Error(`the MCP tool ${tool.name} names ${id}, which is no action`);
      return [action.name, action];
    }),
  );
}
