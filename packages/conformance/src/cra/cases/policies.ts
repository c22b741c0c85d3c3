/** Section 5.5 by example: what a set of policies allows, denies and leaves to a person. */
import type { Doc } from '../bench.ts';
import { type ConformanceCase, expectSame, expectThat } from '../case.ts';

export interface PolicyCase {
  readonly id: string;
  readonly covers: readonly string[];
  readonly policies: readonly Doc[];
  readonly actions: readonly (string | Doc)[];
  readonly capabilities?: readonly Doc[];
  readonly task?: Doc;
  readonly context?: Doc;
  readonly decision: string;
  readonly allowed: readonly string[];
  readonly denied?: readonly (readonly [string, string])[];
  readonly confirmed?: readonly string[];
  readonly constraints?: readonly string[];
}

const all = { policy_id: 'all', type: 'allow', actions: ['*'] };
const deny = (actions: readonly string[], parts: Doc = {}) => ({
  policy_id: 'no',
  type: 'deny',
  actions,
  ...parts,
});
const DEFAULT = 'default-deny';

export const policyCases: readonly PolicyCase[] = [
  {
    id: 'allow_all',
    covers: ['R20', 'R77'],
    policies: [all],
    actions: ['a.get', 'a.put'],
    decision: 'allow',
    allowed: ['a.get', 'a.put'],
  },
  {
    id: 'default_deny',
    covers: ['R21', 'R78'],
    policies: [],
    actions: ['a.get'],
    decision: 'deny',
    allowed: [],
    denied: [['a.get', DEFAULT]],
  },
  {
    id: 'default_deny_rest',
    covers: ['R22', 'R78'],
    policies: [{ ...all, actions: ['a.get'] }],
    actions: ['a.get', 'a.put'],
    decision: 'partial',
    allowed: ['a.get'],
    denied: [['a.put', DEFAULT]],
  },
  {
    id: 'deny_wins',
    covers: ['R73', 'R99'],
    policies: [all, deny(['a.put'])],
    actions: ['a.get', 'a.put'],
    decision: 'partial',
    allowed: ['a.get'],
    denied: [['a.put', 'no']],
  },
  {
    id: 'deny_wins_first',
    covers: ['R73'],
    policies: [deny(['a.put']), all],
    actions: ['a.put'],
    decision: 'deny',
    allowed: [],
    denied: [['a.put', 'no']],
  },
  {
    id: 'deny_wins_over_priority',
    covers: ['R73'],
    policies: [{ ...all, priority: 1000 }, deny(['a.put'], { priority: -5 })],
    actions: ['a.put'],
    decision: 'deny',
    allowed: [],
    denied: [['a.put', 'no']],
  },
  {
    id: 'deny_by_priority',
    covers: ['R73'],
    policies: [deny(['a.*'], { policy_id: 'low' }), deny(['a.*'], { policy_id: 'high', priority: 5 })],
    actions: ['a.put'],
    decision: 'deny',
    allowed: [],
    denied: [['a.put', 'high']],
  },
  {
    id: 'deny_by_order',
    covers: ['R73'],
    policies: [deny(['a.*'], { policy_id: 'first' }), deny(['a.*'], { policy_id: 'second' })],
    actions: ['a.put'],
    decision: 'deny',
    allowed: [],
    denied: [['a.put', 'first']],
  },
  {
    id: 'deny_over_approval',
    covers: ['R73', 'R74'],
    policies: [{ policy_id: 'ask', type: 'require_approval' }, deny(['a.put'])],
    actions: ['a.put'],
    decision: 'deny',
    allowed: [],
    denied: [['a.put', 'no']],
  },
  {
    id: 'approval',
    covers: ['R23', 'R74'],
    policies: [all, { policy_id: 'ask', type: 'require_approval' }],
    actions: ['a.put'],
    decision: 'requires_approval',
    allowed: ['a.put'],
    confirmed: ['a.put'],
    constraints: ['require_approval'],
  },
  {
    id: 'approval_mixed',
    covers: ['R23', 'R74'],
    policies: [all, { policy_id: 'ask', type: 'require_approval', actions: ['a.put'] }],
    actions: ['a.get', 'a.put'],
    decision: 'partial',
    allowed: ['a.get', 'a.put'],
    confirmed: ['a.put'],
    constraints: ['require_approval'],
  },
  {
    id: 'rate_limit_no_grant',
    covers: ['R75', 'R78'],
    policies: [{ policy_id: 'slow', type: 'rate_limit', parameters: { max_calls: 5, window_seconds: 60 } }],
    actions: ['a.get'],
    decision: 'deny',
    allowed: [],
    denied: [['a.get', DEFAULT]],
  },
  {
    id: 'rate_limit_shown',
    covers: ['R16', 'R18', 'R75'],
    policies: [
      all,
      { policy_id: 'slow', type: 'rate_limit', parameters: { max_calls: 5, window_seconds: 60 } },
    ],
    actions: ['a.get'],
    decision: 'allow',
    allowed: ['a.get'],
    constraints: ['rate_limit'],
  },
  {
    id: 'budget_no_grant',
    covers: ['R76', 'R78'],
    policies: [{ policy_id: 'purse', type: 'budget', parameters: { limit: 5 } }],
    actions: ['a.get'],
    decision: 'deny',
    allowed: [],
    denied: [['a.get', DEFAULT]],
  },
  {
    id: 'budget_shown',
    covers: ['R18', 'R76'],
    policies: [all, { policy_id: 'purse', type: 'budget', parameters: { limit: 5 } }],
    actions: ['a.get'],
    decision: 'allow',
    allowed: ['a.get'],
    constraints: ['budget'],
  },
  {
    id: 'glob_prefix',
    covers: ['R68'],
    policies: [{ ...all, actions: ['ticket.*'] }],
    actions: ['ticket.get', 'ticket.a.b', 'tickets.get'],
    decision: 'partial',
    allowed: ['ticket.get', 'ticket.a.b'],
    denied: [['tickets.get', DEFAULT]],
  },
  {
    id: 'glob_suffix',
    covers: ['R68'],
    policies: [{ ...all, actions: ['*.delete'] }],
    actions: ['a.delete', 'a.b.delete', 'a.deleted'],
    decision: 'partial',
    allowed: ['a.delete', 'a.b.delete'],
    denied: [['a.deleted', DEFAULT]],
  },
  {
    id: 'glob_exact',
    covers: ['R68'],
    policies: [{ ...all, actions: ['a.get'] }],
    actions: ['a.get', 'a.getall'],
    decision: 'partial',
    allowed: ['a.get'],
    denied: [['a.getall', DEFAULT]],
  },
  {
    id: 'glob_dot_is_literal',
    covers: ['R68'],
    policies: [{ ...all, actions: ['a.b.c'] }],
    actions: ['a.b.c', 'axb.c'],
    decision: 'partial',
    allowed: ['a.b.c'],
    denied: [['axb.c', DEFAULT]],
  },
  {
    id: 'actions_absent_means_all',
    covers: ['R68'],
    policies: [{ policy_id: 'all', type: 'allow' }],
    actions: ['a.get'],
    decision: 'allow',
    allowed: ['a.get'],
  },
  {
    id: 'tier_of_task',
    covers: ['R10', 'R68'],
    policies: [all, deny(['*'], { conditions: { risk_tiers: ['high', 'critical'] } })],
    actions: ['a.get'],
    task: { risk_tier: 'high' },
    decision: 'deny',
    allowed: [],
    denied: [['a.get', 'no']],
  },
  {
    id: 'tier_defaults_to_low',
    covers: ['R10'],
    policies: [{ ...all, conditions: { risk_tiers: ['low'] } }],
    actions: ['a.get'],
    decision: 'allow',
    allowed: ['a.get'],
  },
  {
    id: 'tier_of_action',
    covers: ['R68', 'R69'],
    policies: [{ ...all, conditions: { risk_tiers: ['low'] } }],
    actions: ['a.get', { action_id: 'a.wipe', risk_tier: 'critical' }],
    decision: 'partial',
    allowed: ['a.get'],
    denied: [['a.wipe', DEFAULT]],
  },
  {
    id: 'agents',
    covers: ['R68'],
    policies: [{ ...all, conditions: { agents: ['someone-else*'] } }],
    actions: ['a.get'],
    decision: 'deny',
    allowed: [],
    denied: [['a.get', DEFAULT]],
  },
  {
    id: 'agents_glob',
    covers: ['R68'],
    policies: [{ ...all, conditions: { agents: ['conf*'] } }],
    actions: ['a.get'],
    decision: 'allow',
    allowed: ['a.get'],
  },
  {
    id: 'context_matches',
    covers: ['R12', 'R68'],
    policies: [all, deny(['*'], { conditions: { context_matches: { environment: 'production' } } })],
    actions: ['a.get'],
    context: { environment: 'production' },
    decision: 'deny',
    allowed: [],
    denied: [['a.get', 'no']],
  },
  {
    id: 'context_differs',
    covers: ['R12', 'R68'],
    policies: [all, deny(['*'], { conditions: { context_matches: { environment: 'production' } } })],
    actions: ['a.get'],
    context: { environment: 'staging' },
    decision: 'allow',
    allowed: ['a.get'],
  },
  {
    id: 'conditions_all_must_hold',
    covers: ['R68'],
    policies: [all, deny(['*'], { conditions: { risk_tiers: ['high'], agents: ['conf*'] } })],
    actions: ['a.get'],
    task: { risk_tier: 'low' },
    decision: 'allow',
    allowed: ['a.get'],
  },
  {
    id: 'capability_filter',
    covers: ['R11', 'R66'],
    policies: [all],
    actions: ['a.get', 'a.put'],
    capabilities: [{ capability_id: 'read', name: 'Read', actions: ['a.get'] }],
    task: { required_capabilities: ['read'] },
    decision: 'allow',
    allowed: ['a.get'],
  },
  {
    id: 'capability_unknown',
    covers: ['R20', 'R66'],
    policies: [all],
    actions: ['a.get'],
    capabilities: [{ capability_id: 'read', name: 'Read', actions: ['a.get'] }],
    task: { required_capabilities: ['read', 'write'] },
    decision: 'partial',
    allowed: ['a.get'],
  },
  { id: 'no_actions', covers: ['R21'], policies: [all], actions: [], decision: 'deny', allowed: [] },
  {
    id: 'order_of_manifest',
    covers: ['R16'],
    policies: [all],
    actions: ['z.get', 'a.get', 'm.get'],
    decision: 'allow',
    allowed: ['z.get', 'a.get', 'm.get'],
  },
];

export const policyConformance: readonly ConformanceCase[] = policyCases.map((each) => ({
  id: `policy.${each.id}`,
  covers: each.covers,
  area: 'CARP-Core' as const,
  async run(bench) {
    const capabilities = (each.capabilities ?? []).map((capability) => ({
      ...capability,
      actions: (capability.actions as string[]).map((id) => bench.action(id)),
    }));
    await bench.loadRules(each.policies, each.actions, capabilities.length > 0 ? { capabilities } : {});
    const session = await bench.start();
    const resolution = await bench.resolve(session, {
      ...(each.task && { task: { goal: 'Run the suite', ...each.task } }),
      ...(each.context && { context: each.context }),
    });
    bench.fits('carp-resolution', resolution);
    expectSame(resolution.decision.type, each.decision, 'decision');
    const ids = (list: { action_id: string }[]) => list.map(({ action_id }) => action_id);
    expectSame(
      ids(resolution.allowed_actions),
      each.allowed.map((id) => bench.action(id)),
      'allowed_actions',
    );
    if (each.denied) {
      const found = resolution.denied_actions.map((one: Doc) => [one.action_id, one.policy_id]);
      expectSame(
        found,
        each.denied.map(([id, policy]) => [bench.action(id), policy]),
        'denied_actions',
      );
    }
    if (each.confirmed) {
      const found = ids(resolution.allowed_actions.filter((one: Doc) => one.requires_confirmation));
      expectSame(
        found,
        each.confirmed.map((id) => bench.action(id)),
        'requires_confirmation',
      );
      expectThat(typeof resolution.decision.approval_id === 'string', 'no approval_id', resolution.decision);
    }
    expectSame(
      resolution.constraints.map((one: Doc) => one.type),
      each.constraints ?? [],
      'constraints',
    );
  },
}));
