import { memoryErrors } from '../../errors.ts';
import { policyRateLimit } from '../../rate-limits.ts';
import { parseScope } from '../../scope-pattern.ts';
import { PERMISSIONS } from './policy.ts';

type Loose = Readonly<Record<string, unknown>>;

/** What a person writes is read strictly: a policy that would mean something else than it says is refused. */
export function checkPolicy(policy: Loose): void {
  if (typeof policy.agentPattern !== 'string' || policy.agentPattern === '') {
    throw refused('/agentPattern', 'A policy says which agents it is for; `*` is all of them.');
  }
  for (const list of ['allow', 'deny'] as const) {
    const scopes = policy[list] ?? [];
    if (!Array.isArray(scopes)) throw refused(`/${list}`, 'This is a list of scopes.');
    for (const [at, scope] of scopes.entries()) {
      if (typeof scope !== 'string' || !parseScope(scope))
        throw refused(`/${list}/${at}`, 'This is no scope.');
    }
  }
  const permissions = policy.permissions;
  const known = Array.isArray(permissions) && permissions.every((each) => PERMISSIONS.includes(each));
  if (!known) throw refused('/permissions', `Permissions are some of ${PERMISSIONS.join(', ')}.`);
  if (
    policy.priority !== undefined &&
    !(Number.isInteger(policy.priority) && (policy.priority as number) >= 0)
  ) {
    throw refused('/priority', 'A priority is a whole number from 0 on; lower goes first.');
  }
  const { rateLimit } = (policy.conditions ?? {}) as Loose;
  if (policyRateLimit(rateLimit)?.limit === 0)
    throw refused('/conditions/rateLimit', 'A rate limit is {"requests": 10, "window": "1h"}.');
}

function refused(pointer: string, message: string): Error {
  return memoryErrors.A2P006({ pointer, message });
}
