/** `baton atlas try`: one line of text, one decision, with what led to it. */
import { parseInstant } from '../../../../kernel/instant.ts';
import { suggestion } from '../../../../kernel/nearest.ts';
import { nodeHasher } from '../../../../platform/node-hasher.ts';
import { parameterFaults } from '../../execution/parameter-check.ts';
import { compilePolicies, type PolicySet } from '../../policies/rules/compile.ts';
import type { DecisionInput } from '../../policies/rules/decide.ts';
import { type Explanation, explain } from '../../policies/rules/explain.ts';
import { RISK_TIERS, type RiskTier } from '../../schema.ts';
import { withParameter } from '../analysis/witnesses.ts';
import { requireAtlas } from './read.ts';

export interface Tried {
  /** What is wrong with the line; nothing was decided then. */
  readonly problem?: string;
  readonly explanation?: Explanation;
  /** The author's words for the rule that decided. */
  readonly reason?: string;
  /** How the parameters do not fit the action's schema, so that a call would be refused before any rule. */
  readonly faults?: readonly string[];
}

export async function tryableAtlas(path: string): Promise<PolicySet> {
  const atlas = await requireAtlas(path, { hasher: nodeHasher });
  return compilePolicies([{ atlas, mode: 'enforce' }]);
}

export const TRY_FORM =
  'ACTION name=value … [--agent ID] [--tier high] [--now 2026-01-01T12:00Z] [--context k=v] [--scope S] [--fact SUBJECT/PREDICATE=VALUE]';

/** Values are JSON where they can be read as such, and else text. Without parameters it decides as a resolution does. */
export function tryLine(set: PolicySet, line: string, now: number): Tried {
  const words = wordsOf(line);
  const [actionId, ...rest] = words;
  if (actionId === undefined) return { problem: `Type ${TRY_FORM}` };
  const action = set.action(actionId);
  if (!action) return { problem: `There is no action ${actionId}: ${suggestion(actionId, set.actionIds)}` };
  const input = inputOf(rest, now);
  if (typeof input === 'string') return { problem: input };
  const explanation = explain(set, actionId, input) as Explanation;
  const winner = set.policies.deny
    .concat(set.policies.approval, set.policies.allow)
    .find(({ policyId }) => policyId === explanation.winner);
  const { parameters } = input;
  const faults = parameters === undefined ? [] : parameterFaults(action.action.parameters_schema, parameters);
  return {
    explanation,
    ...(winner?.rule.reason !== undefined && { reason: winner.rule.reason }),
    ...(faults.length > 0 && {
      faults: faults.map(({ pointer, message }) => `${pointer || 'they'} ${message}`),
    }),
  };
}

function inputOf(words: readonly string[], now: number): DecisionInput | string {
  let input: DecisionInput = { agentId: 'agent', riskTier: undefined, context: {}, scopes: new Set(), now };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as string;
    const option = /^--(\w+)$/.exec(word)?.[1];
    if (option !== undefined) {
      at += 1;
      const changed = withOption(input, option, words[at] ?? '');
      if (typeof changed === 'string') return changed;
      input = changed;
      continue;
    }
    const split = word.indexOf('=');
    if (split < 1) return `${word} has no value: write ${word}=…`;
    const parameters = (input.parameters ?? {}) as Record<string, unknown>;
    input = {
      ...input,
      parameters: withParameter(parameters, word.slice(0, split), valueIn(word.slice(split + 1))),
    };
  }
  return input;
}

const OPTIONS = ['agent', 'tier', 'now', 'context', 'scope', 'fact'];

function withOption(input: DecisionInput, option: string, value: string): DecisionInput | string {
  if (!OPTIONS.includes(option)) return `--${option} is unknown: ${suggestion(option, OPTIONS)}`;
  const [name = '', ...more] = value.split('=');
  const given = more.join('=');
  switch (option) {
    case 'agent':
      return { ...input, agentId: value };
    case 'scope':
      return { ...input, scopes: new Set([...input.scopes, value]) };
    case 'context':
      return { ...input, context: { ...input.context, [name]: given } };
    case 'tier':
      if (!(RISK_TIERS as readonly string[]).includes(value))
        return `--tier is one of ${RISK_TIERS.join(', ')}`;
      return { ...input, riskTier: value as RiskTier };
    case 'fact': {
      const [subject = '', predicate = ''] = name.split('/');
      const by = { id: 'you', type: 'human' };
      const fact = { subject, predicate, factId: 'tried', digest: '', by, value: given };
      return { ...input, facts: [...(input.facts ?? []), fact] };
    }
    default: {
      const at = parseInstant(value)?.micros;
      return at === undefined ? '--now is an instant, as 2026-01-01T12:00:00Z' : { ...input, now: at };
    }
  }
}

/** Split at spaces; quotes and brackets hold what belongs together. */
function wordsOf(line: string): string[] {
  const words = line.match(/(?:[^\s"'[{]|"(?:[^"\\]|\\.)*"|'[^']*'|\[[^\]]*\]|\{[^}]*\})+/g) ?? [];
  return words.map((word) => word.replaceAll(/'([^']*)'/g, '$1'));
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
