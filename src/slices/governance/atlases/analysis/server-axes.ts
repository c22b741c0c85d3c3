/** Cases of what the server knows that conditions can tell apart: who asks, and what facts say. */
import type { CompiledPolicy } from '../../policies/rules/compile.ts';
import type { DecisionInput } from '../../policies/rules/decide.ts';
import { type FactKey, sameKey } from '../../policies/rules/when/fact-key.ts';
import type { ServerPath } from '../../policies/rules/when/server-path.ts';
import type { Asker } from '../../policies/rules/when/surroundings.ts';
import { type CompiledWhen, factsOf, type Test } from '../../policies/rules/when/when.ts';
import { LISTED, valuesFor } from './witnesses.ts';

type Change = (input: DecisionInput) => DecisionInput;

const SOMEBODY: Asker = { actor: 'agent', actorType: 'agent', credential: 'key', project: 'project' };

export function serverAxes(policies: readonly CompiledPolicy[]): Change[][] {
  const whens = policies.flatMap(({ rule }) => (rule.when ? [rule.when] : []));
  const tests = whens.flatMap(testsIn);
  const byPath = new Map<string, { readonly path: ServerPath; readonly values: unknown[] }>();
  for (const test of tests) {
    if (!test.server) continue;
    const entry = byPath.get(test.path) ?? { path: test.server, values: [] };
    entry.values.push(...valuesFor(test));
    byPath.set(test.path, entry);
  }
  const lists = whens
    .flatMap(factsOf)
    .filter((key, at, all) => all.findIndex((each) => sameKey(each, key)) === at);
  return [
    ...[...byPath.values()].map(({ path, values }) => [
      unchanged,
      ...values.map((value) => changeOf(path, value)),
    ]),
    ...lists
      .filter((key) => ![...byPath.values()].some(({ path }) => 'subject' in path && sameKey(path, key)))
      .map((key) => [unchanged, withFact(key, LISTED), withFact(key, '')]),
  ];
}

function testsIn({ alternatives }: CompiledWhen): Test[] {
  return alternatives.flat().flatMap((test) => [test, ...(test.within ? testsIn(test.within) : [])]);
}

const unchanged: Change = (input) => input;

function changeOf(path: ServerPath, value: unknown): Change {
  const text = textOf(value);
  if (!('value' in path)) return withFact(path, text);
  switch (path.value) {
    case 'agent':
      return (input) => ({ ...input, agentId: text });
    case 'subagent':
      return (input) => ({ ...input, subagent: text });
    case 'scopes':
      return (input) => ({
        ...input,
        scopes: new Set([...input.scopes, ...(Array.isArray(value) ? value.map(textOf) : [text])]),
      });
    case 'actor_type':
      return (input) => ({ ...input, asker: { ...(input.asker ?? SOMEBODY), actorType: text } });
    default: {
      const name = path.value;
      return (input) => ({ ...input, asker: { ...(input.asker ?? SOMEBODY), [name]: text } });
    }
  }
}

const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

function withFact({ subject, predicate }: FactKey, value: string): Change {
  const by = { id: 'person', type: 'human' };
  const fact = { subject, predicate, factId: 'fact', digest: '', by, value };
  return (input) => ({ ...input, facts: [...(input.facts ?? []), fact] });
}
