import { describe, expect, it } from 'vitest';
import { nodeHasher } from '../../../../platform/node-hasher.ts';
import { checkManifest } from '../../atlases/check.ts';
import { parseManifest } from '../../atlases/rules/parse.ts';
import { compileCedar } from './cedar-text.ts';
import { compilePolicies } from './compile.ts';
import { type DecisionInput, decide } from './decide.ts';
import { explain } from './explain.ts';

function manifest(policies: object[]) {
  return {
    atlas_version: '1.0',
    atlas_id: 'com.example.cedar',
    version: '1.0.0',
    name: 'Cedar',
    description: 'Rules in Cedar',
    capabilities: [{ capability_id: 'money', name: 'Money', actions: ['order.refund'] }],
    actions: [
      { action_id: 'order.refund', name: 'Refund', description: 'Pays back' },
      { action_id: 'order.read', name: 'Read', description: 'Shows' },
    ],
    policies,
  };
}

function setOf(policies: object[]) {
  const { atlas, findings } = checkManifest(parseManifest(manifest(policies)), nodeHasher);
  if (!atlas) throw new Error(JSON.stringify(findings));
  return compilePolicies([{ atlas, mode: 'enforce' }]);
}

const input: DecisionInput = {
  agentId: 'shop-bot',
  riskTier: 'low',
  context: {},
  scopes: new Set(),
  now: Date.UTC(2026, 0, 5) * 1000,
};
const PERMIT = `permit(principal == Agent::"shop-bot", action in Action::"capability:money", resource)
  when { context.parameters.amount <= 100 };`;
const FORBID = `forbid(principal, action, resource) when { context.parameters.order like "VIP-*" };`;

describe('Cedar in an Atlas', () => {
  const set = setOf([
    { policy_id: 'small', type: 'allow', actions: ['order.*'], parameters: { cedar: PERMIT } },
    {
      policy_id: 'vip',
      type: 'deny',
      actions: ['order.refund'],
      parameters: { cedar: FORBID, reason: 'Ask a person' },
    },
  ]);
  const on = (actionId: string, more: Partial<DecisionInput>) => {
    const action = set.action(actionId);
    if (!action) throw new Error(actionId);
    const { effect, policyId } = decide(action, { ...input, ...more });
    return `${effect} ${policyId}`;
  };

  it.each([
    ['order.refund', { parameters: { amount: 100, order: 'A' } }, 'allow small'],
    ['order.refund', { parameters: { amount: 101, order: 'A' } }, 'deny default-deny'],
    ['order.refund', { parameters: { amount: 1, order: 'VIP-1' } }, 'deny vip'],
    ['order.refund', { parameters: { amount: 1, order: 'A' }, agentId: 'other' }, 'deny default-deny'],
    ['order.read', { parameters: { amount: 1, order: 'A' } }, 'deny default-deny'],
    // A statement that fails grants nothing, and nothing escapes it.
    ['order.refund', { parameters: { amount: 'much', order: 'A' } }, 'deny default-deny'],
    ['order.refund', { parameters: { amount: 1 } }, 'deny vip'],
    // As with `when`: what hangs on parameters is judged once they are known.
    ['order.refund', {}, 'allow small'],
  ])('decides %s with %j', (actionId, more, expected) => {
    expect(on(actionId, more as Partial<DecisionInput>)).toBe(expected);
  });

  it('is explained', () => {
    const found = explain(set, 'order.refund', { ...input, parameters: { amount: 500, order: 'A' } });
    expect(found?.policies.map(({ policy_id, failed }) => [policy_id, failed])).toEqual([
      ['vip', 'parameters.cedar'],
      ['small', 'parameters.cedar'],
    ]);
  });

  it('takes nothing of the parameters for an entity or a function', () => {
    const forged = { amount: 1, order: { __entity: { type: 'Agent', id: 'x' } } };
    expect(on('order.refund', { parameters: forged })).toBe('deny vip');
  });

  it.each([
    ['allow', 'permit(', 'is no Cedar'],
    ['allow', 'forbid(principal, action, resource);', 'has no permit'],
    ['deny', 'permit(principal, action, resource);', 'has no forbid'],
    ['deny', `${PERMIT} ${FORBID}`, 'has a permit'],
    ['allow', 'permit(principal == ?principal, action, resource);', 'has a template'],
  ])('is refused in a policy of type %s: %s', (type, cedar, problem) => {
    const { atlas, findings } = checkManifest(
      parseManifest(manifest([{ policy_id: 'p', type, actions: ['order.*'], parameters: { cedar } }])),
      nodeHasher,
    );
    expect(atlas).toBeUndefined();
    expect(findings.find(({ severity }) => severity === 'error')?.message).toContain(problem);
  });

  it('is refused in other policies, and says so where Cedar is not installed', () => {
    const { findings } = checkManifest(
      parseManifest(manifest([{ policy_id: 'p', type: 'require_approval', parameters: { cedar: PERMIT } }])),
      nodeHasher,
    );
    expect(findings.map(({ code }) => code)).toContain('unknown_parameter');
    expect(compileCedar(PERMIT, 'allow', null as never)).toContain(
      'npm install @cedar-policy/cedar-wasm@4.13',
    );
  });
});
