import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDocument } from '../../../../kernel/json/reader.ts';
import { PHASES, type PolicySet } from '../../policies/rules/compile.ts';
import { type DecisionInput, decide, fitsInput } from '../../policies/rules/decide.ts';
import { tierRank } from '../../policies/rules/tiers.ts';
import { OPERATORS } from '../../policies/rules/when/operators.ts';
import { RISK_TIERS } from '../../schema.ts';
import { actionOf, setOf, testAtlas } from '../../testing/manifest.ts';
import type { Policy } from '../schema.ts';
import { analyze } from './analyze.ts';
import { diffAtlases, diffDecisions } from './atlas-diff.ts';
import { witnessesOf } from './witnesses.ts';

const ACTIONS = [actionOf('a.get'), actionOf('a.drop', { risk_tier: 'high' }), actionOf('b.get')];
const AGENTS = ['ops-1', 'ops-2', 'dev-1', 'x-1', 'x'];

/** Every request over a small world in which the random policies below can be told apart. */
function* everyInput(): Generator<DecisionInput> {
  for (const agentId of AGENTS) {
    for (const riskTier of RISK_TIERS) {
      for (const context of [{}, { env: 'prod' }]) {
        for (const scopes of [[], ['s']])
          yield { agentId, riskTier, context, scopes: new Set(scopes), now: 0 };
      }
    }
  }
}

const made = fc.record({
  type: fc.constantFrom<Policy['type'][]>('allow', 'deny', 'require_approval', 'scope'),
  actions: fc.option(fc.subarray(['a.*', '*.get', 'a.drop', '*', 'zzz'], { maxLength: 2 }), {
    nil: undefined,
  }),
  tiers: fc.option(fc.subarray([...RISK_TIERS]), { nil: undefined }),
  agents: fc.option(fc.subarray(['ops-*', '*-1', 'dev-1']), { nil: undefined }),
  env: fc.boolean(),
});

type MadePolicy = typeof made extends fc.Arbitrary<infer T> ? T : never;

function policiesOf(list: readonly MadePolicy[]): Policy[] {
  return list.map((each, at) => ({
    policy_id: `p${at}`,
    type: each.type,
    ...(each.actions && { actions: each.actions }),
    conditions: {
      ...(each.tiers && { risk_tiers: each.tiers }),
      ...(each.agents && { agents: each.agents }),
      ...(each.env && { context_matches: { env: 'prod' } }),
    },
    ...(each.type === 'scope' && { parameters: { required_scopes: ['s'] } }),
  }));
}

function bruteForce(set: PolicySet) {
  const fitting = new Set<string>();
  const winning = new Set<string>();
  const runnable = new Set<string>();
  for (const actionId of set.actionIds) {
    const action = set.action(actionId)!;
    for (const input of everyInput()) {
      const verdict = decide(action, input);
      winning.add(verdict.policyId);
      if (verdict.effect !== 'deny') runnable.add(actionId);
      const bit = 1 << Math.max(action.tier, tierRank(input.riskTier));
      for (const phase of PHASES) {
        for (const policy of action.candidates[phase])
          if (fitsInput(policy, bit, input)) {
            fitting.add(policy.policyId);
            // Every rule that asks a person must be satisfied, so none of them hides another.
            if (phase === 'approval' && verdict.effect === 'require_approval') winning.add(policy.policyId);
          }
      }
    }
  }
  return { fitting, winning, runnable };
}

describe('analysing an Atlas', () => {
  it('finds the same dead and shadowed rules and unrunnable actions as trying every request', () => {
    fc.assert(
      fc.property(fc.array(made, { maxLength: 6 }), (list) => {
        const policies = policiesOf(list);
        const set = setOf(policies, ACTIONS);
        const { findings, complete } = analyze(set);
        const { fitting, winning, runnable } = bruteForce(set);
        const ids = (kind: string) =>
          findings.filter((each) => each.kind === kind).map((each) => each.policy_id ?? each.action_id);
        expect(complete).toBe(true);
        expect(new Set(ids('dead'))).toEqual(
          new Set(policies.map((p) => p.policy_id).filter((id) => !fitting.has(id))),
        );
        expect(new Set(ids('shadowed'))).toEqual(
          new Set(policies.map((p) => p.policy_id).filter((id) => fitting.has(id) && !winning.has(id))),
        );
        expect(new Set(ids('unrunnable'))).toEqual(
          new Set(ACTIONS.map((a) => a.action_id).filter((id) => !runnable.has(id))),
        );
      }),
      { numRuns: process.env.BATON_PROVE ? 10_000 : 500 },
    );
  });

  it('finds a request for every changed decision, and none where no request is decided otherwise', () => {
    fc.assert(
      fc.property(fc.array(made, { maxLength: 4 }), fc.array(made, { maxLength: 4 }), (first, second) => {
        const before = setOf(policiesOf(first), ACTIONS);
        const after = setOf(policiesOf(second), ACTIONS);
        const changed = new Set<string>();
        for (const actionId of before.actionIds) {
          for (const input of everyInput()) {
            const was = decide(before.action(actionId)!, input).effect;
            const is = decide(after.action(actionId)!, input).effect;
            if (was !== is) changed.add(`${actionId} ${was} ${is}`);
          }
        }
        const { changes } = diffDecisions(before, after);
        expect(
          new Set(changes.map((each) => `${each.action_id} ${each.before.effect} ${each.after.effect}`)),
        ).toEqual(changed);
      }),
      { numRuns: process.env.BATON_PROVE ? 10_000 : 500 },
    );
  });

  it('calls no rule dead whose cases it cannot find', () => {
    const when = (tests: object) => ({ parameters: { when: tests } });
    const publish: Policy[] = [
      {
        policy_id: 'publish',
        type: 'allow',
        ...when({ version: { regex: '^\\d+\\.\\d+$' }, ref: { in: ['main'] } }),
      },
      { policy_id: 'weekly', type: 'rate_limit', parameters: { max_calls: 2, window_seconds: 60 } },
    ];
    expect(analyze(setOf(publish, ['release.publish']))).toEqual({ findings: [], complete: false });
    const send: Policy[] = [
      { policy_id: 'all', type: 'allow' },
      { policy_id: 'keys', type: 'deny', ...when({ files: { any: { name: { path_matches: ['*.key'] } } } }) },
      { policy_id: 'big', type: 'deny', ...when({ files: { any: { bytes: { gt: 100 } } } }) },
    ];
    expect(analyze(setOf(send, ['mail.send']))).toEqual({ findings: [], complete: false });
  });

  it('reads every operator about what the server knows', () => {
    /** As it is read from a file. */
    const analysed = (path: string, test: object) => {
      const when = readDocument(JSON.stringify({ [path]: test })).plain;
      const rule: Policy = { policy_id: 'it', type: 'allow', parameters: { when } };
      expect(() => analyze(setOf([rule], ['a.get']))).not.toThrow();
    };
    const paths = ['@agent', '@subagent', '@actor_type', '@credential', '@scopes', '@facts/release/frozen'];
    for (const path of paths) {
      for (const [operator, { example }] of Object.entries(OPERATORS)) {
        for (const test of [{ [operator]: example }, { not: { [operator]: example } }]) {
          analysed(path, test);
        }
      }
      for (const test of [{ any: { '.': 'x' } }, { all: { '.': { not: { eq: {} } } } }]) {
        analysed(path, test);
      }
    }
  });

  it('warns of a rule that lets everyone do everything, and shows a dangerous call that it lets through', () => {
    const { findings } = analyze(setOf([{ policy_id: 'all', type: 'allow' }], ACTIONS));
    expect(findings).toMatchObject([
      { kind: 'over_broad', policy_id: 'all', counterexample: { action_id: 'a.drop' } },
    ]);
  });

  it('finds a text for every combination of globs that some text can match', () => {
    expect(
      new Set(
        witnessesOf(['ops-*', '*-1']).texts.map((text) => [/^ops-/.test(text), /-1$/.test(text)].join()),
      ),
    ).toEqual(new Set(['true,true', 'true,false', 'false,true', 'false,false']));
  });
});

describe('comparing two versions of an Atlas', () => {
  const policies: Policy[] = [{ policy_id: 'all', type: 'allow' }];

  it('asks for a major step when a call that was allowed is refused', () => {
    const diff = diffAtlases(
      testAtlas({ actions: [...ACTIONS], policies }),
      testAtlas({
        version: '1.1.0',
        actions: [...ACTIONS],
        policies: [...policies, { policy_id: 'no', type: 'deny', actions: ['a.drop'] }],
      }),
    );
    expect(diff).toMatchObject({ required_bump: 'major', version_ok: false });
    expect(diff.decisions).toMatchObject([
      { action_id: 'a.drop', before: { effect: 'allow' }, after: { effect: 'deny', policy_id: 'no' } },
    ]);
  });

  it('asks for a minor step for a new action, and for none when nothing is changed', () => {
    const before = testAtlas({ actions: [...ACTIONS], policies });
    const after = testAtlas({ version: '1.1.0', actions: [...ACTIONS, actionOf('c.new')], policies });
    expect(diffAtlases(before, after)).toMatchObject({ required_bump: 'minor', version_ok: true });
    expect(diffAtlases(before, before)).toMatchObject({ required_bump: 'none', changes: [], decisions: [] });
  });

  it('tells a parameter that must now be given from one that may be', () => {
    const withSchema = (version: string, schema: Record<string, unknown>) =>
      testAtlas({ version, actions: [actionOf('a.b', { parameters_schema: schema })], policies });
    const before = withSchema('1.0.0', { type: 'object', properties: { x: {} } });
    expect(
      diffAtlases(before, withSchema('1.1.0', { type: 'object', properties: { x: {}, y: {} } }))
        .required_bump,
    ).toBe('minor');
    expect(
      diffAtlases(
        before,
        withSchema('1.1.0', { type: 'object', properties: { x: {}, y: {} }, required: ['y'] }),
      ).required_bump,
    ).toBe('major');
  });
});
