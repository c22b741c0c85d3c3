import { preparsePolicySet, statefulIsAuthorized } from '@cedar-policy/cedar-wasm/nodejs';
import { compete } from '../contender.ts';

/** Globs become `like` on an attribute, since Cedar's actions have none. */
await compete({
  prepare: (_, policies) => {
    const name = `of ${policies.length}`;
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
  },
  turns: { resolves: 200, thousand: 30, tenThousand: 5 },
});
