/** Naming Atlases in a request never leaves a guardrail or a dependency: compared with a naive reading of the rules. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { globMatcher } from '../../../../kernel/glob.ts';
import { compilePolicies } from '../../policies/rules/compile.ts';
import { decide } from '../../policies/rules/decide.ts';
import { actionOf, testAtlas } from '../../testing/manifest.ts';
import type { Policy, PolicyType } from '../schema.ts';
import { narrowed } from './narrowed.ts';

const NAMES = ['a', 'b', 'c', 'd'] as const;
const idOf = (name: string) => `com.example.${name}`;
const actionsOf = (name: string) => [`${name}.read`, `${name}.delete`];

interface World {
  readonly loaded: readonly {
    readonly name: string;
    readonly guardrail: boolean;
    /** Names before its own, so that nothing depends on itself. */
    readonly dependsOn: readonly string[];
    readonly policies: readonly Policy[];
  }[];
  readonly named: readonly string[];
  readonly agentId: string;
}

const TYPES: readonly PolicyType[] = ['allow', 'deny', 'require_approval', 'rate_limit', 'budget'];
const PARAMETERS: Readonly<Partial<Record<PolicyType, Record<string, unknown>>>> = {
  rate_limit: { max_calls: 1, window_seconds: 60 },
  budget: { limit: 1 },
};

const policy = fc.record({
  type: fc.constantFrom(...TYPES),
  glob: fc.constantFrom('*', '*.delete', 'a.*', 'b.read', 'c.delete', '*.read'),
  agent: fc.constantFrom(undefined, 'bot', 'intern-*'),
});

const world: fc.Arbitrary<World> = fc
  .record({
    atlases: fc.array(
      fc.record({
        guardrail: fc.boolean(),
        dependsOn: fc.subarray([...NAMES]),
        policies: fc.array(policy, { maxLength: 5 }),
      }),
      { minLength: 2, maxLength: 4 },
    ),
    named: fc.subarray([...NAMES], { minLength: 1 }),
    agentId: fc.constantFrom('bot', 'intern-1', 'other'),
  })
  .map(({ atlases, named, agentId }) => {
    const loaded = atlases.map(({ guardrail, dependsOn, policies }, at) => ({
      name: NAMES[at] as string,
      guardrail,
      dependsOn: dependsOn.filter((each) => NAMES.indexOf(each) < at),
      policies: policies.map(({ type, glob, agent }, index) => ({
        policy_id: `${NAMES[at]}-${index}`,
        type,
        actions: [glob],
        ...(agent !== undefined && { conditions: { agents: [agent] } }),
        ...(PARAMETERS[type] && { parameters: PARAMETERS[type] }),
      })),
    }));
    return { loaded, named: named.filter((each) => loaded.some(({ name }) => name === each)), agentId };
  });

/** Every Atlas whose rules count, found by asking again until nothing is added. */
function inForce({ loaded, named }: World): Set<string> {
  const found = new Set([...named, ...loaded.filter((each) => each.guardrail).map(({ name }) => name)]);
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const { name, dependsOn } of loaded)
      if (found.has(name)) for (const each of dependsOn) found.add(each);
  }
  return found;
}

/** Section 5.5 in so many words: what the answer for one action must be. */
function expected({ loaded, agentId }: World, ruling: ReadonlySet<string>, owner: string, actionId: string) {
  const fitting = loaded
    .filter(({ name }) => ruling.has(name))
    .flatMap(({ name, policies }) => policies.map((each) => ({ ...each, owner: name })))
    .filter(({ actions = [] }) => actions.some((glob) => globMatcher(glob)(actionId)))
    .filter(
      ({ conditions }) => !conditions?.agents || conditions.agents.some((glob) => globMatcher(glob)(agentId)),
    );
  const of = (...types: PolicyType[]) => fitting.filter(({ type }) => types.includes(type));
  const own = (list: typeof fitting) => list.filter((each) => each.owner === owner);
  if (of('deny').length > 0) return { effect: 'deny', approvals: [], limits: [] };
  const approvals = of('require_approval');
  if (own(of('allow')).length === 0 && own(approvals).length === 0)
    return { effect: 'deny', approvals: [], limits: [] };
  return {
    effect: approvals.length > 0 ? 'require_approval' : 'allow',
    approvals: approvals.map(({ policy_id: id }) => id).sort(),
    limits: of('rate_limit', 'budget')
      .map(({ policy_id: id }) => id)
      .sort(),
  };
}

function decided({ loaded, named, agentId }: World) {
  const atlases = new Map(
    loaded.map(({ name, policies }) => [
      idOf(name),
      testAtlas({
        atlas_id: idOf(name),
        actions: actionsOf(name).map((id) => actionOf(id)),
        policies: [...policies],
      }),
    ]),
  );
  const set = compilePolicies(
    narrowed(
      loaded.map(({ name, guardrail, dependsOn }) => ({
        atlasId: idOf(name),
        guardrail,
        dependencies: dependsOn.map(idOf),
      })),
      new Set(named.map(idOf)),
    ).map(({ atlasId, rulesOnly }) => {
      const atlas = atlases.get(atlasId);
      if (!atlas) throw new Error(atlasId);
      return { atlas, mode: 'enforce' as const, rulesOnly };
    }),
  );
  const input = { agentId, riskTier: undefined, context: {}, scopes: new Set<string>(), now: 0 };
  return set.actionIds.map((actionId) => {
    const action = set.action(actionId);
    if (!action) throw new Error(actionId);
    const { effect, approvals, limits } = decide(action, input);
    return {
      actionId,
      effect,
      approvals: approvals.map(({ policyId }) => policyId).sort(),
      limits: limits.map(({ policyId }) => policyId).sort(),
    };
  });
}

describe('naming Atlases', () => {
  it('offers the actions of the named ones alone, under every rule that nobody may leave', () => {
    fc.assert(
      fc.property(world, (each) => {
        const ruling = inForce(each);
        const wanted = each.loaded
          .filter(({ name }) => each.named.includes(name))
          .flatMap(({ name }) =>
            actionsOf(name).map((actionId) => ({ actionId, ...expected(each, ruling, name, actionId) })),
          );
        expect(decided(each)).toEqual(wanted);
      }),
      { numRuns: process.env.BATON_PROVE === '1' ? 100_000 : 10_000 },
    );
  });
});
