import pc from 'picocolors';
import { inline, named } from '../../../kernel/quoted.ts';
import type { Connection, Host } from '../host.ts';
import { ask } from '../operation.ts';

export interface Decision {
  readonly at: string;
  readonly action_id: string;
  readonly verdict: 'deny' | 'ask';
  readonly effect: 'allow' | 'deny' | 'ask';
  readonly policy_id: string;
  readonly reason: string;
  readonly what: string;
}

const MOST = 1000;
const EXAMPLES = 3;

/** What rules that only log would have denied and asked about, in the last 30 days. */
export async function loggedDecisions(
  to: Connection,
  host: Host,
  project: string,
): Promise<readonly Decision[]> {
  const { decisions } = await ask(to, host, 'agents.decisions', {
    project_id: project,
    enforced: false,
    limit: MOST,
  });
  return decisions;
}

/** By rule, the most frequent first, with the last calls that each was about. */
export function pastText(decisions: readonly Decision[]): string {
  if (decisions.length === 0)
    return 'Nothing recorded in the last 30 days would have been denied or asked about.';
  const rules = new Map<string, Decision[]>();
  for (const decision of decisions) {
    const rule = `${decision.verdict} ${decision.policy_id}`;
    rules.set(rule, [...(rules.get(rule) ?? []), decision]);
  }
  const sorted = [...rules.values()].sort((a, b) => b.length - a.length);
  const count = (verdict: Decision['verdict']) => decisions.filter((each) => each.verdict === verdict).length;
  const more = decisions.length === MOST ? ' (the last 1,000 are counted)' : '';
  return [
    `In the last 30 days these rules would have denied ${count('deny')} and asked about ${count('ask')} of the calls${more}:`,
    ...sorted.flatMap(ruleLines),
  ].join('\n');
}

function ruleLines(decisions: readonly Decision[]): string[] {
  const [first] = decisions;
  if (!first) return [];
  const verb = first.verdict === 'deny' ? pc.red('deny') : pc.yellow('ask ');
  const seen = [...new Set(decisions.map(({ what }) => what))].slice(0, EXAMPLES);
  return [
    `  ${verb}  ${named(first.policy_id)} × ${decisions.length}  ${pc.dim(inline(first.reason, 120))}`,
    ...seen.map((what) => `          ${inline(what, 100)}`),
  ];
}
