import { newEnforcer, newModel, StringAdapter } from 'casbin';
import { compete } from '../contender.ts';

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

await compete({
  prepare: async (_, policies) => {
    const lines = policies.flatMap((policy) =>
      (policy.actions ?? ['*']).map(
        (glob) => `p, any, ${glob}, ${policy.type === 'deny' ? 'deny' : 'allow'}`,
      ),
    );
    const enforcer = await newEnforcer(newModel(MODEL), new StringAdapter(lines.join('\n')));
    return (actionId) => enforcer.enforce('agent', actionId);
  },
  turns: { resolves: 200, thousand: 20, tenThousand: 3 },
});
