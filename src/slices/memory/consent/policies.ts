import { prefixedId } from '../../../kernel/ids.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import { asString } from '../../../kernel/json/loose.ts';
import { toPlain } from '../../../kernel/json/plain.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { writeJson } from '../../../kernel/json/write.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { withMembers } from '../documents.ts';
import { invalid, memoryErrors } from '../errors.ts';
import { recordEvent } from '../events.ts';
import type { MemoryDeps } from '../ports.ts';
import type { Profile } from '../profiles/store.ts';
import { checkPolicy } from './rules/policy.ts';
import { POLICY_TEMPLATES, type PolicyTemplate } from './rules/policy-templates.ts';
import { deletePolicy, putPolicy } from './store.ts';

/** Adds the policy, or replaces the one with its id. Takes effect with the next request of an agent. */
export async function savePolicy(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  actor: Actor,
  document: JsonObject,
): Promise<string> {
  checkPolicy(toPlain(document) as Record<string, unknown>);
  const now = formatMillis(deps.clock.now());
  const id = asString(document.id) ?? prefixedId('policy', deps.random);
  if (!/^policy_[a-zA-Z0-9]+$/.test(id))
    throw invalid('/id', 'A policy id is `policy_` followed by letters and digits.');
  const dated = withMembers(document, {
    id,
    updated: now,
    ...(document.created === undefined && { created: now }),
  });
  const created = await putPolicy(uow, profile.did, { policy_id: id, document: writeJson(dated) });
  await recordPolicyEvent(uow, deps, profile, actor, id, created ? 'created' : 'updated');
  return id;
}

export async function applyTemplate(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  actor: Actor,
  template: PolicyTemplate,
): Promise<string[]> {
  const ids: string[] = [];
  for (const policy of POLICY_TEMPLATES[template])
    ids.push(await savePolicy(uow, deps, profile, actor, policy as unknown as JsonObject));
  return ids;
}

export async function removePolicy(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  actor: Actor,
  policyId: string,
): Promise<void> {
  if (!(await deletePolicy(uow, profile.did, policyId)))
    throw memoryErrors.A2P003({ message: 'There is no such policy.' });
  await recordPolicyEvent(uow, deps, profile, actor, policyId, 'deleted');
}

async function recordPolicyEvent(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  actor: Actor,
  policyId: string,
  action: 'created' | 'updated' | 'deleted',
): Promise<void> {
  await recordEvent(uow, deps, profile, {
    type: `memory.policy_${action}`,
    actor,
    payload: { policyId, action },
    webhook: `policy.${action}`,
    subject: { type: 'policy', id: policyId },
  });
}
