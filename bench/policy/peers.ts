/** The same rules for the peers: an action is a Cedar action, a Casbin object. */
import { preparsePolicySet, statefulIsAuthorized } from '@cedar-policy/cedar-wasm/nodejs';
import { newEnforcer, newModel, StringAdapter } from 'casbin';
import type { Policy } from '../../src/governance/schema/atlas.ts';

export type Ask = (actionId: string) => boolean;

const MODEL = `
[request_definition]
r = sub, act
[policy_definition]
p = sub, act, eft
[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))
[matchers]
m = globMatch(r.act, p.act)
`;

/** Node 20.20 has ended a run that has both peers in its loops with a fault of its own optimizer: run it again. */
export async function casbinAsk(
  policies: readonly Policy[],
): Promise<(actionId: string) => Promise<boolean>> {
  const lines = policies.flatMap((policy) =>
    (policy.actions ?? ['*']).map((glob) => `p, any, ${glob}, ${policy.type === 'deny' ? 'deny' : 'allow'}`),
  );
  const enforcer = await newEnforcer(newModel(MODEL), new StringAdapter(lines.join('\n')));
  return (actionId) => enforcer.enforce('agent', actionId);
}

/** Globs become `like` on an attribute, since Cedar's actions have none. */
export function cedarAsk(policies: readonly Policy[], name: string): Ask {
  const text = Object.fromEntries(
    policies.map((policy) => {
      const verb = policy.type === 'deny' ? 'forbid' : 'permit';
      const tests = (policy.actions ?? ['*']).map((glob) =>
        glob.includes('*') ? `context.action like "${glob}"` : `context.action == "${glob}"`,
      );
      return [policy.policy_id, `${verb}(principal, action, resource) when { ${tests.join(' || ')} };`];
    }),
  );
  const parsed = preparsePolicySet(name, { staticPolicies: text });
  if (parsed.type !== 'success') throw new Error('Cedar refuses the policies');
  return (actionId) => {
    const answer = statefulIsAuthorized({
      principal: { type: 'Agent', id: 'agent' },
      action: { type: 'Action', id: 'call' },
      resource: { type: 'Server', id: 'server' },
      context: { action: actionId },
      preparsedPolicySetId: name,
      entities: [],
    });
    if (answer.type !== 'success') throw new Error('Cedar cannot decide');
    return answer.response.decision === 'allow';
  };
}
