/** Section 5.5 by example: what a set of policies allows, denies and leaves to a person. */
import type { LooseRecord } from '../../../../../src/kernel/json/loose.ts';
import { assert, assertEqual } from '../../assertions.ts';
import { ALLOW_ALL } from '../bench.ts';
import { type ConformanceCase, carp } from '../case.ts';

interface Expected {
  readonly decision: string;
  readonly allowed: readonly string[];
  /** Action and policy. */
  readonly denied?: readonly (readonly [string, string])[];
  readonly confirmed?: readonly string[];
  readonly constraints?: readonly string[];
}

interface Situation {
  readonly capabilities?: readonly LooseRecord[];
  readonly task?: LooseRecord;
  readonly context?: LooseRecord;
}

export interface PolicyCase extends Expected, Situation {
  readonly id: string;
  readonly covers: readonly string[];
  readonly policies: readonly LooseRecord[];
  readonly actions: readonly (string | LooseRecord)[];
}

const policy = (
  id: string,
  covers: readonly string[],
  policies: readonly LooseRecord[],
  actions: readonly (string | LooseRecord)[],
  expected: Expected,
  situation: Situation = {},
): PolicyCase => ({ id, covers, policies, actions, ...situation, ...expected });

const allows = (...allowed: readonly string[]): Expected => ({ decision: 'allow', allowed });
const denies = (...denied: readonly [string, string][]): Expected => ({
  decision: 'deny',
  allowed: [],
  denied,
});
const splits = (allowed: readonly string[], ...denied: readonly [string, string][]): Expected => ({
  decision: 'partial',
  allowed,
  denied,
});

const all = { policy_id: 'all', type: 'allow', actions: ['*'] };
const allow = (...actions: readonly string[]) => ({ ...all, actions });
const allowIf = (conditions: LooseRecord) => ({ ...all, conditions });
const deny = (actions: readonly string[], parts: LooseRecord = {}) => ({
  policy_id: 'no',
  type: 'deny',
  actions,
  ...parts,
});
const denyIf = (conditions: LooseRecord) => deny(['*'], { conditions });
const ask = { policy_id: 'ask', type: 'require_approval' };
const slow = { policy_id: 'slow', type: 'rate_limit', parameters: { max_calls: 5, window_seconds: 60 } };
const purse = { policy_id: 'purse', type: 'budget', parameters: { limit: 5 } };
const capabilities = [{ capability_id: 'read', name: 'Read', actions: ['a.get'] }];
const inProduction = { context_matches: { environment: 'production' } };
const GET = ['a.get'];
const PUT = ['a.put'];
const BOTH = ['a.get', 'a.put'];
const DEFAULT = 'default-deny';

export const policyCases: readonly PolicyCase[] = [
  policy('allow_all', ['R20', 'R77'], [all], BOTH, allows('a.get', 'a.put')),
  policy('default_deny', ['R21', 'R78'], [], GET, denies(['a.get', DEFAULT])),
  policy('default_deny_rest', ['R22', 'R78'], [allow('a.get')], BOTH, splits(GET, ['a.put', DEFAULT])),
  policy('deny_wins', ['R73', 'R99'], [all, deny(PUT)], BOTH, splits(GET, ['a.put', 'no'])),
  policy('deny_wins_first', ['R73'], [deny(PUT), all], PUT, denies(['a.put', 'no'])),
  policy(
    'deny_wins_over_priority',
    ['R73'],
    [{ ...all, priority: 1000 }, deny(PUT, { priority: -5 })],
    PUT,
    denies(['a.put', 'no']),
  ),
  policy(
    'deny_by_priority',
    ['R73'],
    [deny(['a.*'], { policy_id: 'low' }), deny(['a.*'], { policy_id: 'high', priority: 5 })],
    PUT,
    denies(['a.put', 'high']),
  ),
  policy(
    'deny_by_order',
    ['R73'],
    [deny(['a.*'], { policy_id: 'first' }), deny(['a.*'], { policy_id: 'second' })],
    PUT,
    denies(['a.put', 'first']),
  ),
  policy('deny_over_approval', ['R73', 'R74'], [ask, deny(PUT)], PUT, denies(['a.put', 'no'])),
  policy('approval', ['R23', 'R74'], [all, ask], PUT, {
    decision: 'requires_approval',
    allowed: PUT,
    confirmed: PUT,
    constraints: ['require_approval'],
  }),
  policy('approval_mixed', ['R23', 'R74'], [all, { ...ask, actions: PUT }], BOTH, {
    decision: 'partial',
    allowed: BOTH,
    confirmed: PUT,
    constraints: ['require_approval'],
  }),
  policy('rate_limit_no_grant', ['R75', 'R78'], [slow], GET, denies(['a.get', DEFAULT])),
  policy('rate_limit_shown', ['R16', 'R18', 'R75'], [all, slow], GET, {
    ...allows('a.get'),
    constraints: ['rate_limit'],
  }),
  policy('budget_no_grant', ['R76', 'R78'], [purse], GET, denies(['a.get', DEFAULT])),
  policy('budget_shown', ['R18', 'R76'], [all, purse], GET, { ...allows('a.get'), constraints: ['budget'] }),
  policy(
    'glob_prefix',
    ['R68'],
    [allow('ticket.*')],
    ['ticket.get', 'ticket.a.b', 'tickets.get'],
    splits(['ticket.get', 'ticket.a.b'], ['tickets.get', DEFAULT]),
  ),
  policy(
    'glob_suffix',
    ['R68'],
    [allow('*.delete')],
    ['a.delete', 'a.b.delete', 'a.deleted'],
    splits(['a.delete', 'a.b.delete'], ['a.deleted', DEFAULT]),
  ),
  policy('glob_exact', ['R68'], [allow('a.get')], ['a.get', 'a.getall'], splits(GET, ['a.getall', DEFAULT])),
  policy(
    'glob_dot_is_literal',
    ['R68'],
    [allow('a.b.c')],
    ['a.b.c', 'axb.c'],
    splits(['a.b.c'], ['axb.c', DEFAULT]),
  ),
  policy('actions_absent_means_all', ['R68'], [ALLOW_ALL], GET, allows('a.get')),
  policy(
    'tier_of_task',
    ['R10', 'R68'],
    [all, denyIf({ risk_tiers: ['high', 'critical'] })],
    GET,
    denies(['a.get', 'no']),
    { task: { risk_tier: 'high' } },
  ),
  policy('tier_defaults_to_low', ['R10'], [allowIf({ risk_tiers: ['low'] })], GET, allows('a.get')),
  policy(
    'tier_of_action',
    ['R68', 'R69'],
    [allowIf({ risk_tiers: ['low'] })],
    ['a.get', { action_id: 'a.wipe', risk_tier: 'critical' }],
    splits(GET, ['a.wipe', DEFAULT]),
  ),
  policy('agents', ['R68'], [allowIf({ agents: ['someone-else*'] })], GET, denies(['a.get', DEFAULT])),
  policy('agents_glob', ['R68'], [allowIf({ agents: ['conf*'] })], GET, allows('a.get')),
  policy('context_matches', ['R12', 'R68'], [all, denyIf(inProduction)], GET, denies(['a.get', 'no']), {
    context: { environment: 'production' },
  }),
  policy('context_differs', ['R12', 'R68'], [all, denyIf(inProduction)], GET, allows('a.get'), {
    context: { environment: 'staging' },
  }),
  policy(
    'conditions_all_must_hold',
    ['R68'],
    [all, denyIf({ risk_tiers: ['high'], agents: ['conf*'] })],
    GET,
    allows('a.get'),
    { task: { risk_tier: 'low' } },
  ),
  policy('capability_filter', ['R11', 'R66'], [all], BOTH, allows('a.get'), {
    capabilities,
    task: { required_capabilities: ['read'] },
  }),
  policy(
    'capability_unknown',
    ['R20', 'R66'],
    [all],
    GET,
    { decision: 'partial', allowed: GET },
    { capabilities, task: { required_capabilities: ['read', 'write'] } },
  ),
  policy('no_actions', ['R21'], [all], [], { decision: 'deny', allowed: [] }),
  policy('order_of_manifest', ['R16'], [all], ['z.get', 'a.get', 'm.get'], allows('z.get', 'a.get', 'm.get')),
];

export const policyConformance: readonly ConformanceCase[] = policyCases.map((each) =>
  carp(`policy.${each.id}`, each.covers, async (bench) => {
    const capabilities = (each.capabilities ?? []).map((capability) => ({
      ...capability,
      actions: (capability.actions as string[]).map((id) => bench.action(id)),
    }));
    await bench.loadRules(each.policies, each.actions, capabilities.length > 0 ? { capabilities } : {});
    const resolution = await bench.resolve(await bench.start(), {
      ...(each.task && { task: { goal: 'Run the suite', ...each.task } }),
      ...(each.context && { context: each.context }),
    });
    bench.fits('carp-resolution', resolution);
    const { decision, allowed_actions, denied_actions, constraints } = resolution as Resolution;
    assertEqual(decision.type, each.decision, 'decision');
    const own = (ids: readonly string[]) => ids.map((id) => bench.action(id));
    assertEqual(idsOf(allowed_actions), own(each.allowed), 'allowed_actions');
    if (each.denied) {
      const found = denied_actions.map((one) => [one.action_id, one.policy_id]);
      const expected = each.denied.map(([id, policyId]) => [bench.action(id), policyId]);
      assertEqual(found, expected, 'denied_actions');
    }
    if (each.confirmed) {
      const found = idsOf(allowed_actions.filter((one) => one.requires_confirmation));
      assertEqual(found, own(each.confirmed), 'requires_confirmation');
      assert(typeof decision.approval_id === 'string', 'no approval_id', decision);
    }
    const types = constraints.map(({ type }) => type);
    assertEqual(types, each.constraints ?? [], 'constraints');
  }),
);

interface Resolution {
  readonly decision: LooseRecord;
  readonly allowed_actions: readonly LooseRecord[];
  readonly denied_actions: readonly LooseRecord[];
  readonly constraints: readonly LooseRecord[];
}

const idsOf = (actions: readonly LooseRecord[]) => actions.map(({ action_id }) => action_id);
