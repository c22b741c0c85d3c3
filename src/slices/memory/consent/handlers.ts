import { readPlain } from '../../../kernel/json/reader.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import { requireObject, withMembers } from '../documents.ts';
import type { MemoryDeps } from '../ports.ts';
import { accessProfile, ownProfile } from '../profile-access.ts';
import { DONE } from '../schema.ts';
import { listReceipts, restoreAccess, revokeAccess } from './access.ts';
import { agentGrant } from './grants.ts';
import type { consentOperations } from './operations.ts';
import { applyTemplate, removePolicy, savePolicy } from './policies.ts';
import { selectPolicies } from './store.ts';

export function createConsentHandlers(deps: MemoryDeps): Handlers<typeof consentOperations> {
  return {
    'memory.policies': async (reader, { input: { query }, principal }) => {
      const profile = await ownProfile(reader, deps, principal, query.profile);
      const found = await selectPolicies(reader, profile.did);
      const policies = found.map(({ document }) => readPlain(document) as Record<string, unknown>);
      return { body: { policies } };
    },
    'memory.policy.put': async (uow, { input: { body }, document, principal }) => {
      const profile = await ownProfile(uow, deps, principal, body.profile);
      const policy = withMembers(requireObject(document?.value), { profile: undefined });
      return { body: { id: await savePolicy(uow, deps, profile, principal.actor, policy) } };
    },
    'memory.policy.template': async (uow, { input: { body }, principal }) => {
      const profile = await ownProfile(uow, deps, principal, body.profile);
      return { body: { ids: await applyTemplate(uow, deps, profile, principal.actor, body.template) } };
    },
    'memory.policy.delete': async (uow, { input: { path, query }, principal }) => {
      const profile = await ownProfile(uow, deps, principal, query.profile);
      await removePolicy(uow, deps, profile, principal.actor, path.id);
      return DONE;
    },
    'memory.access': async (reader, { input: { query }, principal }) => {
      const profile = await ownProfile(reader, deps, principal, query.profile);
      const { agent, limit = 50, offset } = query;
      return { body: { receipts: await listReceipts(reader, profile, agent, limit, offset) } };
    },
    'memory.access.mine': async (reader, { input: { query }, principal }) => {
      const { profile, caller } = await accessProfile(reader, deps, principal, query.profile);
      const { grant } = await agentGrant(reader, profile.did, caller.did, deps.clock.now());
      return {
        body: {
          agent_did: caller.did,
          permissions: caller.role === 'owner' ? ['owner'] : [...grant.permissions],
          allow: grant.allow.map(({ text }) => text),
          deny: grant.deny.map(({ text }) => text),
          receipts: await listReceipts(reader, profile, caller.did, 20),
        },
      };
    },
    'memory.access.revoke': async (uow, { input: { body }, principal }) => {
      const profile = await ownProfile(uow, deps, principal, body.profile);
      await revokeAccess(uow, deps, profile, principal.actor, body.agent);
      return DONE;
    },
    'memory.access.restore': async (uow, { input: { body }, principal }) => {
      const profile = await ownProfile(uow, deps, principal, body.profile);
      await restoreAccess(uow, deps, profile, principal.actor, body.agent);
      return DONE;
    },
  };
}
