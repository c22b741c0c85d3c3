import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestOf, formatDigest } from '../../../../kernel/digest.ts';
import { fromPlain } from '../../../../kernel/json/plain.ts';
import { nodeHasher } from '../../../../platform/node-hasher.ts';
import type { Policy } from '../../atlases/schema.ts';
import { setOf } from '../../testing/manifest.ts';
import { resolutionDigest } from './digest.ts';
import type { ResolveInput } from './input.ts';
import { resolve } from './resolve.ts';

const ACTIONS = ['order.read', 'order.refund', 'file.drop'];
const place = { projectId: 'p', sessionId: 's', usage: new Map() };

const policy: fc.Arbitrary<Policy> = fc.record({
  policy_id: fc.constantFrom('one', 'two', 'three'),
  type: fc.constantFrom('allow', 'deny', 'require_approval' as const),
  actions: fc.subarray(['order.*', 'file.drop', '*'], { minLength: 1 }),
  conditions: fc.constantFrom({}, { agents: ['bot'] }, { risk_tiers: ['high' as const] }),
});
const input: fc.Arbitrary<ResolveInput> = fc.record({
  agentId: fc.constantFrom('bot', 'other'),
  goal: fc.constantFrom('one thing', 'another'),
  riskTier: fc.constantFrom('low', 'high' as const),
  hints: fc.constant([]),
  requiredCapabilities: fc.constant([]),
  context: fc.constantFrom({}, { team: 'a' }),
  scopes: fc.constant(new Set<string>()),
  now: fc.nat(),
});
const questionOf = ({ agentId, riskTier, context }: ResolveInput) =>
  JSON.stringify([agentId, riskTier, context]);

describe('rulings that are remembered', () => {
  it('are those that would be made anew, with the same digest', () => {
    fc.assert(
      fc.property(fc.array(policy, { maxLength: 5 }), fc.array(input, { maxLength: 8 }), (rules, inputs) => {
        const policies = rules.map((rule, at) => ({ ...rule, policy_id: `${rule.policy_id}-${at}` }));
        const set = setOf(policies, ACTIONS);
        for (const asked of inputs) {
          const anew = resolve(set, asked, place);
          const again = resolve(set, asked, { ...place, question: questionOf(asked) });
          expect(again).toEqual(anew);
          expect(resolutionDigest(nodeHasher, again)).toBe(resolutionDigest(nodeHasher, anew));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('are made anew where the clock, a limit or an approval may change them', () => {
    const asked = { agentId: 'bot', goal: '', riskTier: 'low', hints: [], requiredCapabilities: [] } as const;
    const known = { ...asked, context: {}, scopes: new Set<string>(), now: 0 };
    const twice = (policies: Policy[], state: object = {}, other: object = state) => {
      const set = setOf(policies, ACTIONS);
      const ask = (parts: object) => resolve(set, known, { ...place, question: 'same', ...parts });
      return ask(state).evaluations === ask(other).evaluations;
    };
    const all: Policy = { policy_id: 'all', type: 'allow' };
    expect(twice([all])).toBe(true);
    const window = { from: '09:00', to: '17:00', timezone: 'UTC', days: ['mon' as const] };
    expect(twice([{ ...all, conditions: { time_window: window } }])).toBe(false);
    expect(twice([all, { policy_id: 'pot', type: 'budget', parameters: { limit: 1 } }])).toBe(false);
    const ask: Policy = { policy_id: 'ask', type: 'require_approval' };
    expect(twice([all, ask])).toBe(true);
    expect(twice([all, ask], {}, { passes: () => true })).toBe(false);
  });

  it('have the digest of the canonical form of the whole', () => {
    const draft = resolve(
      setOf([{ policy_id: 'all', type: 'allow' }], ACTIONS),
      {
        agentId: 'bot',
        goal: '',
        riskTier: 'low',
        hints: [],
        requiredCapabilities: [],
        context: {},
        scopes: new Set(),
        now: 0,
      },
      place,
    );
    const whole = {
      evaluations: ACTIONS.map((action_id) => ({ policy_id: 'all', action_id, verdict: 'allow' })),
      allowed_actions: ACTIONS.map((action_id) => ({ action_id })),
      denied_actions: [],
      constraints: [],
      context_blocks: [],
    };
    expect(resolutionDigest(nodeHasher, draft)).toBe(
      formatDigest(digestOf(nodeHasher, 'jcs', fromPlain(whole))),
    );
  });
});
