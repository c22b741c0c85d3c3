type Kind = 'inbox' | 'expiring' | 'denied' | 'budget' | 'run_stopped' | 'run_finished';
type Project = string;

/** As the server has it. */
export interface Rule {
  project: Project;
  kind: Kind;
  when: 'now' | 'hourly' | 'daily' | 'never';
  least_risk?: 'low' | 'medium' | 'high' | 'critical' | undefined;
  minutes_before?: 5 | 15 | 60 | 240 | undefined;
}

/** What one select of the form says about a kind in a project; empty: as for all projects. */
export type Choice = string;

export const KIND_WORDS: Readonly<Record<Kind, string>> = {
  inbox: 'Something waits for me',
  expiring: 'It is about to expire',
  denied: 'An action was denied',
  budget: 'A budget is used up',
  run_stopped: 'A run has stopped',
  run_finished: 'A run has finished',
};

const TIMES: readonly (readonly [Choice, string])[] = [
  ['never', 'Never'],
  ['now', 'At once'],
  ['hourly', 'Every hour'],
  ['daily', 'Once a day'],
];

/** The choices that each kind offers, and the rules that each stands for. */
export const CHOICES: Readonly<Record<Kind, readonly (readonly [Choice, string])[]>> = {
  inbox: [
    ['never', 'Never'],
    ['now', 'At once'],
    ['now:medium', 'At once, from medium risk on'],
    ['now:high', 'At once, from high risk on'],
    ['now:critical', 'At once, only critical'],
    ['now:high+daily', 'High at once, the rest once a day'],
    ['now:critical+daily', 'Critical at once, the rest once a day'],
    ['hourly', 'Every hour'],
    ['daily', 'Once a day'],
  ],
  expiring: [
    ['never', 'Never'],
    ['5', '5 minutes before'],
    ['15', '15 minutes before'],
    ['60', 'An hour before'],
    ['240', 'Four hours before'],
  ],
  denied: TIMES,
  budget: TIMES,
  run_stopped: TIMES,
  run_finished: TIMES,
};

export const KINDS = Object.keys(KIND_WORDS) as Kind[];

/** Rules that the form has no choice for: set elsewhere, and kept until something else is chosen. */
export const OTHER: Choice = 'other';

export function choiceOf(rules: readonly Rule[], project: Project, kind: Kind): Choice {
  const own = rules.filter((rule) => rule.project === project && rule.kind === kind);
  if (own.length === 0) return project === '*' ? 'never' : '';
  const same = (choice: Choice) => signature(rulesFor(project, kind, choice)) === signature(own);
  return CHOICES[kind].find(([choice]) => same(choice))?.[0] ?? OTHER;
}

/** The rules with another choice for one kind in one project. */
export function withChoice(rules: readonly Rule[], project: Project, kind: Kind, choice: Choice): Rule[] {
  if (choice === OTHER) return [...rules];
  const rest = rules.filter((rule) => rule.project !== project || rule.kind !== kind);
  return [...rest, ...rulesFor(project, kind, choice)];
}

function rulesFor(project: Project, kind: Kind, choice: Choice): Rule[] {
  if (choice === '') return [];
  if (kind === 'expiring') {
    if (choice === 'never') return [{ project, kind, when: 'never' }];
    const minutes_before = Number(choice) as NonNullable<Rule['minutes_before']>;
    return [{ project, kind, when: 'now', minutes_before }];
  }
  return choice.split('+').map((part) => {
    const [when, least_risk] = part.split(':') as [Rule['when'], Rule['least_risk']];
    return { project, kind, when, ...(least_risk && { least_risk }) };
  });
}

/** What tells two sets of rules apart, whatever their order. */
function signature(rules: readonly Rule[]): string {
  return rules
    .map(({ when, least_risk = '', minutes_before = '' }) => `${when} ${least_risk} ${minutes_before}`)
    .sort()
    .join('|');
}
