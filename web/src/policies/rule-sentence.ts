import { maybeText, record, texts } from '../api/shape.ts';
import { conditionWords } from './policy-words.ts';
import type { Policy } from './queries.ts';
import { thresholdWords } from './threshold-words.ts';

export interface Sentence {
  /** One word for what the rule does. */
  readonly verb: 'Allow' | 'Deny' | 'Ask' | 'Limit' | 'Budget' | 'Scope';
  readonly words: string;
}

const VERBS: Readonly<Record<string, Sentence['verb']>> = {
  allow: 'Allow',
  deny: 'Deny',
  require_approval: 'Ask',
  rate_limit: 'Limit',
  budget: 'Budget',
  scope: 'Scope',
};

/** A rule as one says it to somebody: who may do what, when, and how much of it. */
export function ruleSentence(
  policy: Pick<Policy, 'type' | 'actions' | 'conditions' | 'parameters'>,
): Sentence {
  const { type } = policy;
  const actions = list(policy.actions ?? ['*'], 'and').replace(/^\*$/, 'anything');
  const agents = texts(record(policy.conditions).agents);
  const who = agents.length === 0 ? undefined : list(agents, 'or');
  const { agents: _, ...rest } = record(policy.conditions);
  const details = [...thresholdWords(type, policy.parameters), ...conditionWords(rest)];
  const approvers = texts(record(policy.parameters).approvers);
  const main =
    type === 'deny'
      ? `${who ? `${who} may not` : 'Nobody may'} run ${actions}`
      : type === 'require_approval'
        ? `${approvers.length > 0 ? list(approvers, 'or') : 'A person'} agrees to ${actions}${who ? ` by ${who}` : ''}`
        : type === 'allow'
          ? `${who ?? 'Agents'} may run ${actions}`
          : `${actions}${who ? ` by ${who}` : ''}`;
  const said = details.filter((words) => !words.startsWith('decided by'));
  return {
    verb: VERBS[type] ?? 'Scope',
    words: said.length === 0 ? main : `${main}${said[0]?.startsWith('when ') ? ' ' : ', '}${said.join('; ')}`,
  };
}

function list(names: readonly string[], joint: string): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${joint} ${names.at(-1)}`;
}

export type RuleChange = 'same' | 'new' | 'changed' | 'removed';

export interface ComparedRule {
  readonly policy: Policy;
  readonly before: Policy | undefined;
  readonly change: RuleChange;
}

/** The rules of a draft beside those that hold now; what is gone comes last. */
export function compareRules(draft: readonly Policy[], loaded: readonly Policy[]): ComparedRule[] {
  const before = new Map(loaded.map((policy) => [policy.policy_id, policy]));
  const kept = new Set(draft.map(({ policy_id }) => policy_id));
  return [
    ...draft.map((policy) => {
      const old = before.get(policy.policy_id);
      const change: RuleChange =
        old === undefined
          ? 'new'
          : JSON.stringify(ordered(old)) === JSON.stringify(ordered(policy))
            ? 'same'
            : 'changed';
      return { policy, before: old, change };
    }),
    ...loaded
      .filter(({ policy_id }) => !kept.has(policy_id))
      .map((policy) => ({ policy, before: policy, change: 'removed' as const })),
  ];
}

/** The order of members means nothing. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, ordered(member)]),
  );
}

export type Draft =
  | { readonly ok: true; readonly manifest: Record<string, unknown>; readonly policies: readonly Policy[] }
  | { readonly ok: false; readonly message: string };

/** What is typed, as far as it is JSON. */
export function readDraft(text: string): Draft {
  try {
    const manifest: unknown = JSON.parse(text);
    if (typeof manifest !== 'object' || manifest === null || Array.isArray(manifest)) {
      return { ok: false, message: 'An Atlas is a JSON object.' };
    }
    const { policies } = manifest as { policies?: unknown };
    const found = Array.isArray(policies)
      ? policies.filter((each): each is Policy => maybeText(record(each).policy_id) !== undefined)
      : [];
    return { ok: true, manifest: manifest as Record<string, unknown>, policies: found };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
