import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { globMatcher } from '../../../../kernel/glob.ts';
import { parseInstant } from '../../../../kernel/instant.ts';
import { JsonNumber } from '../../../../kernel/json/value.ts';
import type { Atlas } from '../../atlases/rules/atlas.ts';
import type { Policy } from '../../atlases/schema.ts';
import { RISK_TIERS, type RiskTier } from '../../schema.ts';
import { actionOf, setOf, testAtlas } from '../../testing/manifest.ts';
import { appliedLimits } from './applied-limits.ts';
import { compilePolicies } from './compile.ts';
import { contextFits, DEFAULT_DENY, type DecisionInput, decide } from './decide.ts';
import { explain } from './explain.ts';
import { compileWindow, inWindow } from './time-window.ts';
import { compileWhen, isWhenProblem, whenHolds } from './when/when.ts';

const NOW = parseInstant('2026-03-04T12:00:00Z')!.micros;

function inputOf(parts: Partial<DecisionInput> = {}): DecisionInput {
  return { agentId: 'agent', riskTier: undefined, context: {}, scopes: new Set(), now: NOW, ...parts };
}

/** Section 5.5 read aloud: every rule of every Atlas, sorted and tried one after another, without any index. */
function naiveDecision(atlases: readonly Atlas[], actionId: string, input: DecisionInput) {
  const home = atlases.findIndex(({ manifest }) =>
    manifest.actions?.some((each) => each.action_id === actionId),
  );
  const manifest = atlases[home]!.manifest;
  const action = manifest.actions!.find((each) => each.action_id === actionId)!;
  const rank = (tier: RiskTier | undefined) => (tier === undefined ? 0 : RISK_TIERS.indexOf(tier));
  const tier = RISK_TIERS[Math.max(rank(input.riskTier), rank(action.risk_tier))]!;
  const member = (manifest.capabilities ?? []).filter((each) => each.actions?.includes(actionId));
  const all = atlases
    .flatMap(({ manifest: { policies = [] } }, atlas) => policies.map((policy) => ({ policy, atlas })))
    .map((each, order) => ({ ...each, order }))
    .sort((a, b) => (b.policy.priority ?? 0) - (a.policy.priority ?? 0) || a.order - b.order);
  const fits = ({ policy, atlas }: { policy: Policy; atlas: number }) => {
    const { conditions = {}, parameters = {} } = policy;
    if (policy.type === 'allow' && atlas !== home) return false;
    if (policy.actions && !policy.actions.some((glob) => globMatcher(glob)(actionId))) return false;
    if (
      conditions.capabilities &&
      !member.some((each) => conditions.capabilities!.includes(each.capability_id))
    )
      return false;
    if (conditions.risk_tiers && !conditions.risk_tiers.includes(tier)) return false;
    if (conditions.agents && !conditions.agents.some((glob) => globMatcher(glob)(input.agentId)))
      return false;
    for (const [key, value] of Object.entries(conditions.context_matches ?? {})) {
      if (String(input.context[key] ?? '\0') !== value) return false;
    }
    if (policy.type === 'scope') {
      return (parameters.required_scopes as string[]).some((scope) => !input.scopes.has(scope));
    }
    return true;
  };
  const first = (...types: Policy['type'][]) =>
    all.find((each) => types.includes(each.policy.type) && fits(each));
  const denied = first('deny', 'scope');
  if (denied) return { effect: 'deny', policyId: denied.policy.policy_id };
  const approval = first('require_approval');
  const allowed = first('allow');
  const asksItself = all.some(
    (each) => each.policy.type === 'require_approval' && each.atlas === home && fits(each),
  );
  if (approval && (allowed || asksItself))
    return { effect: 'require_approval', policyId: approval.policy.policy_id };
  if (allowed) return { effect: 'allow', policyId: allowed.policy.policy_id };
  return { effect: 'deny', policyId: DEFAULT_DENY };
}

const ACTIONS = ['ticket.get', 'ticket.delete', 'order.create', 'order.item.delete', 'a.b'];
const globs = fc.constantFrom(
  '*',
  'ticket.*',
  '*.delete',
  'order.create',
  'order.*.delete',
  '?.b',
  'o*',
  'zzz',
  '*.*.*',
);
const policies = fc.record({
  type: fc.constantFrom<Policy['type'][]>(
    'allow',
    'deny',
    'scope',
    'require_approval',
    'rate_limit',
    'budget',
  ),
  priority: fc.option(fc.integer({ min: -1, max: 2 }), { nil: undefined }),
  actions: fc.option(fc.array(globs, { maxLength: 3 }), { nil: undefined }),
  risk: fc.option(fc.subarray([...RISK_TIERS]), { nil: undefined, freq: 2 }),
  agents: fc.option(fc.array(fc.constantFrom('ops-*', '*-1', 'dev-?', 'ops-1'), { maxLength: 2 }), {
    nil: undefined,
    freq: 2,
  }),
  capabilities: fc.option(fc.subarray(['read', 'write']), { nil: undefined, freq: 1 }),
  context: fc.option(fc.constantFrom({ env: 'prod' }, { env: 'dev', n: '1' }), { nil: undefined, freq: 2 }),
  scopes: fc.subarray(['x', 'y'], { minLength: 1 }),
});
const PARAMETERS = { rate_limit: { max_calls: 1, window_seconds: 1 }, budget: { limit: 1 } } as Record<
  string,
  object
>;

type MadePolicy = typeof policies extends fc.Arbitrary<infer T> ? T : never;

function policyOf(made: MadePolicy, id: string): Policy {
  const conditions = {
    ...(made.risk && { risk_tiers: made.risk }),
    ...(made.agents && { agents: made.agents }),
    ...(made.capabilities && { capabilities: made.capabilities }),
    ...(made.context && { context_matches: made.context as Record<string, string> }),
  };
  return {
    policy_id: id,
    type: made.type,
    conditions,
    ...(made.priority !== undefined && { priority: made.priority }),
    ...(made.actions && { actions: made.actions }),
    parameters: made.type === 'scope' ? { required_scopes: made.scopes } : { ...PARAMETERS[made.type] },
  };
}

describe('deciding', () => {
  it('agrees with a naive reading of section 5.5 on verdict and rule for 10,000 random sets', () => {
    const runs = process.env.BATON_PROVE ? 100_000 : 10_000;
    fc.assert(
      fc.property(
        fc.array(policies, { maxLength: 8 }),
        fc.array(policies, { maxLength: 3 }),
        fc.constantFrom(...RISK_TIERS, undefined),
        fc.constantFrom('ops-1', 'dev-1', 'dev-2', 'someone'),
        fc.constantFrom({}, { env: 'prod' }, { env: 'dev', n: 1 }),
        fc.subarray(['x', 'y', 'z']),
        (first, second, riskTier, agentId, context, scopes) => {
          const atlases = [
            testAtlas({
              actions: ACTIONS.map((id, at) => actionOf(id, at === 1 ? { risk_tier: 'high' } : {})),
              capabilities: [
                { capability_id: 'read', name: 'r', actions: ['ticket.get'] },
                { capability_id: 'write', name: 'w', actions: ['ticket.delete', 'order.create'] },
              ],
              policies: first.map((made, at) => policyOf(made, `p${at}`)),
            }),
            testAtlas({
              atlas_id: 'com.example.other',
              actions: [actionOf('other.act')],
              policies: second.map((made, at) => policyOf(made, `q${at}`)),
            }),
          ];
          const set = compilePolicies(atlases.map((atlas) => ({ atlas, mode: 'enforce' })));
          const input = inputOf({ riskTier, agentId, context, scopes: new Set(scopes) });
          for (const actionId of [...ACTIONS, 'other.act']) {
            const { effect, policyId } = decide(set.action(actionId)!, input);
            expect({ effect, policyId }).toEqual(naiveDecision(atlases, actionId, input));
            const told = explain(set, actionId, input)!;
            expect(told.winner).toBe(policyId);
            if (policyId !== DEFAULT_DENY) expect(told.matched).toContain(policyId);
          }
        },
      ),
      { numRuns: runs },
    );
  });

  it('lets an Atlas grant only its own actions, but lets it refuse those of others', () => {
    const own = testAtlas({ actions: [actionOf('a.b')] });
    const other = testAtlas({
      atlas_id: 'com.example.other',
      policies: [{ policy_id: 'all', type: 'allow' }],
    });
    const strict = testAtlas({
      atlas_id: 'com.example.strict',
      policies: [{ policy_id: 'no', type: 'deny' }],
    });
    const decideWith = (...atlases: Atlas[]) =>
      decide(compilePolicies(atlases.map((atlas) => ({ atlas, mode: 'enforce' }))).action('a.b')!, inputOf())
        .policyId;
    expect(decideWith(own, other)).toBe(DEFAULT_DENY);
    expect(decideWith(own, other, strict)).toBe('no');
  });

  it('waits with a rule on parameters until they are known, and then refuses what it cannot compare', () => {
    const when = { amount: { gt: 100 } };
    const set = setOf(
      [
        { policy_id: 'large', type: 'deny', parameters: { when } },
        { policy_id: 'all', type: 'allow' },
      ],
      ['pay.send'],
    );
    const verdict = (parameters?: unknown) =>
      decide(set.action('pay.send')!, inputOf(parameters === undefined ? {} : { parameters })).policyId;
    expect(verdict()).toBe('all');
    expect(verdict({ amount: 100 })).toBe('all');
    expect(verdict({ amount: 101 })).toBe('large');
    expect(verdict({ amount: '5000' })).toBe('large');
    expect(verdict({})).toBe('all');
  });

  it('grants on parameters only what it can compare', () => {
    const set = setOf(
      [{ policy_id: 'small', type: 'allow', parameters: { when: { amount: { lte: 100 } } } }],
      ['pay.send'],
    );
    const verdict = (parameters: unknown) => decide(set.action('pay.send')!, inputOf({ parameters })).effect;
    expect(verdict({ amount: 100 })).toBe('allow');
    expect(verdict({ amount: '1' })).toBe('deny');
    expect(verdict({})).toBe('deny');
  });

  it('tells of every rule that did not match which condition failed first', () => {
    const set = setOf(
      [
        { policy_id: 'other', type: 'deny', actions: ['x.*'] },
        { policy_id: 'risky', type: 'deny', conditions: { risk_tiers: ['critical'], agents: ['nobody'] } },
        { policy_id: 'night', type: 'deny', conditions: { time_window: { start: '22:00', end: '06:00' } } },
        { policy_id: 'prod', type: 'deny', conditions: { context_matches: { env: 'prod' } } },
        { policy_id: 'all', type: 'allow' },
      ],
      ['a.b'],
    );
    const told = explain(set, 'a.b', inputOf())!;
    expect(told).toMatchObject({ effect: 'allow', winner: 'all', matched: ['all'] });
    expect(Object.fromEntries(told.policies.map((each) => [each.policy_id, each.failed]))).toEqual({
      other: 'actions',
      risky: 'conditions.risk_tiers',
      night: 'conditions.time_window',
      prod: 'conditions.context_matches.env',
      all: undefined,
    });
  });

  it('tells which parameter failed, and takes what it cannot compare as the rule does', () => {
    const over: Policy = { policy_id: 'over', type: 'deny', parameters: { when: { amount: { gt: 100 } } } };
    const small: Policy = {
      policy_id: 'small',
      type: 'allow',
      parameters: { when: { amount: { lte: 100 } } },
    };
    const told = (parameters?: unknown) =>
      explain(setOf([over, small], ['a.b']), 'a.b', inputOf({ parameters }))!.policies.map(
        ({ failed }) => failed,
      );
    expect(told({ amount: 1 })).toEqual(['parameters.when amount gt', undefined]);
    expect(told({ amount: 101 })).toEqual([undefined, 'parameters.when amount lte']);
    expect(told({ amount: 'much' })).toEqual([undefined, 'parameters.when amount lte']);
    expect(told()).toEqual(['parameters.when (no parameters yet)', undefined]);
  });
});

describe('limits', () => {
  const all: Policy = { policy_id: 'all', type: 'allow' };
  const rate: Policy = {
    policy_id: 'rate',
    type: 'rate_limit',
    parameters: { max_calls: 1, window_seconds: 60 },
  };
  const purse: Policy = { policy_id: 'purse', type: 'budget', parameters: { limit: 5, cost: 1 } };
  const limitsOf = (policies: Policy[], input = inputOf()) =>
    decide(setOf(policies, ['a.b']).action('a.b')!, input).limits.map(({ policyId }) => policyId);

  it('that fit come with a call that may run, whichever kinds there are, and with no call that may not', () => {
    expect(limitsOf([all])).toEqual([]);
    expect(limitsOf([all, rate])).toEqual(['rate']);
    expect(limitsOf([all, purse])).toEqual(['purse']);
    expect(limitsOf([all, purse, rate])).toEqual(['rate', 'purse']);
    expect(limitsOf([all, rate, { policy_id: 'no', type: 'deny' }])).toEqual([]);
    expect(limitsOf([rate])).toEqual([]);
  });

  it('apply only under their conditions', () => {
    const forBots = [all, { ...rate, conditions: { agents: ['bot-*'] } }, purse];
    expect(limitsOf(forBots)).toEqual(['purse']);
    expect(limitsOf(forBots, inputOf({ agentId: 'bot-1' }))).toEqual(['rate', 'purse']);
  });

  const subject = { projectId: 'p1', agentId: 'bot-1', sessionId: 's1', actionId: 'a.b' };
  const others = {
    project: { ...subject, projectId: 'p2' },
    agent: { ...subject, agentId: 'bot-2' },
    session: { ...subject, sessionId: 's2' },
    action: { ...subject, actionId: 'a.c' },
  };

  it.each([
    ['rate', 'agent', ['project', 'agent', 'action']],
    ['rate', 'session', ['project', 'session', 'action']],
    ['rate', 'action', ['project', 'action']],
    ['rate', 'global', ['project', 'action']],
    ['budget', 'agent', ['project', 'agent']],
    ['budget', 'session', ['project', 'session']],
    ['budget', 'action', ['project', 'action']],
    ['budget', 'global', ['project']],
  ] as const)('of kind %s and scope %s count apart what differs in %j', (kind, scope, apart) => {
    const parts = kind === 'rate' ? rate : purse;
    const set = setOf([all, { ...parts, parameters: { ...parts.parameters, scope } }], ['a.b']);
    const action = set.action('a.b')!;
    const keyOf = (who: typeof subject) =>
      appliedLimits(action, decide(action, inputOf()).limits, who)[0]!.key;
    const differing = Object.entries(others).filter(([, other]) => keyOf(other) !== keyOf(subject));
    expect(differing.map(([name]) => name)).toEqual(apart);
  });

  it('of an action itself count each agent apart', () => {
    const action = setOf(
      [all],
      [actionOf('a.b', { rate_limit: { max_calls: 1, window_seconds: 1 } })],
    ).action('a.b')!;
    const keyOf = (who: typeof subject) => appliedLimits(action, [], who)[0]!.key;
    expect(keyOf(others.agent)).not.toBe(keyOf(subject));
    expect(keyOf(others.session)).toBe(keyOf(subject));
    for (const half of [{ max_calls: 1 }, { window_seconds: 1 }]) {
      const limitless = setOf([all], [actionOf('a.b', { rate_limit: half })]).action('a.b')!;
      expect(appliedLimits(limitless, [], subject)).toEqual([]);
    }
  });
});

describe('context', () => {
  it('compares with what JSON writes for a number or a truth, and with nothing that is neither', () => {
    const wanted = (value: string) => [['key', value]] as const;
    for (const [value, text] of [
      ['1', '1'],
      [1, '1'],
      [new JsonNumber('1.0'), '1.0'],
      [true, 'true'],
    ] as const) {
      expect(contextFits(wanted(text), { key: value })).toBe(true);
      expect(contextFits(wanted(`${text}0`), { key: value })).toBe(false);
    }
    expect(contextFits(wanted('null'), { key: null })).toBe(false);
    expect(contextFits(wanted('[object Object]'), { key: {} })).toBe(false);
    expect(contextFits(wanted('1'), {})).toBe(false);
  });
});

describe('time windows', () => {
  it('follow the clock of their zone through a change to summer time', () => {
    const window = compileWindow({ start: '09:00', end: '17:00', timezone: 'Europe/Berlin' });
    const at = (text: string) => inWindow(window, parseInstant(text)!.micros);
    expect([at('2026-03-28T08:00:00Z'), at('2026-03-28T07:59:59Z')]).toEqual([true, false]);
    expect([at('2026-03-30T07:00:00Z'), at('2026-03-30T06:59:59Z')]).toEqual([true, false]);
    expect(at('2026-03-30T15:00:00Z')).toBe(false);
  });
});

describe('conditions on parameters', () => {
  it('compare numbers exactly, look into nested values, and take one of several alternatives', () => {
    const holds = (when: unknown, parameters: unknown) => {
      const compiled = compileWhen(when, { strict: true });
      if (isWhenProblem(compiled)) throw new Error(compiled.message);
      return whenHolds(compiled, { parameters, now: 0 }, false);
    };
    expect(holds({ 'order.total': { gte: 0.3 } }, { order: { total: 0.3 } })).toBe(true);
    expect(holds({ '/items/1': 'b' }, { items: ['a', 'b'] })).toBe(true);
    expect(holds([{ a: 1 }, { b: { in: ['x', 'y'] } }], { b: 'y' })).toBe(true);
    expect(holds({ url: { matches: 'https://*.example.com/*' } }, { url: 'https://a.example.com/x' })).toBe(
      true,
    );
    expect(holds({ tags: { contains: 'x' } }, { tags: ['y'] })).toBe(false);
    expect(holds({ constructor: { exists: true } }, {})).toBe(false);
    expect(compileWhen({ a: { match: 'x' } }, { strict: true })).toEqual({
      path: 'a',
      message: 'has the unknown operator match: did you mean matches?',
    });
  });

  it.each([
    [{ a: { gt: '1' } }, 'gt needs a number'],
    [{ a: { in: 'x' } }, 'in needs an array, or {"of": […], "ignore_case": true}'],
    [{ a: { matches: 1 } }, 'matches needs text, an array of texts, or {"of": …, "ignore_case": true}'],
    [{ a: { exists: 'yes' } }, 'exists needs true or false'],
    [[], 'is empty, so it never holds'],
    ['a', 'must be an object of path → test'],
  ])('are refused as %j', (when, message) => {
    expect(compileWhen(when, { strict: true })).toMatchObject({ message });
  });
});
