import { readPlain } from '../../../kernel/json/reader.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import { withMembers } from '../documents.ts';
import { createEntrance } from '../profile-access.ts';
import type { MemoryService } from '../slice.ts';
import { DONE } from '../views.ts';
import { requireObject } from './access.ts';
import { agentGrant } from './grants.ts';
import type { consentOperations } from './operations.ts';

export function createConsentHandlers(service: MemoryService): Handlers<typeof consentOperations> {
  const { consent } = service;
  const { clock } = service.deps;
  const { enter, ownProfile } = createEntrance(service);

  return {
    'memory.policies': async (reader, { input: { query }, principal }) => {
      const profile = await ownProfile(reader, principal, query.profile);
      const found = await consent.policies(reader, profile);
      return {
        body: {
          policies: found.map(({ document }) => readPlain(document) as Record<string, unknown>),
        },
      };
    },
    'memory.policy.put': async (uow, { input: { body }, document, principal }) => {
      const profile = await ownProfile(uow, principal, body.profile);
      return {
        body: {
          id: await consent.save(
            uow,
            profile,
            principal.actor,
            withMembers(requireObject(document?.value), { profile: undefined }),
          ),
        },
      };
    },
    'memory.policy.template': async (uow, { input: { body }, principal }) => {
      const profile = await ownProfile(uow, principal, body.profile);
      return { body: { ids: await consent.applyTemplate(uow, profile, principal.actor, body.template) } };
    },
    'memory.policy.delete': async (uow, { input: { path, query }, principal }) => {
      const profile = await ownProfile(uow, principal, query.profile);
      await consent.remove(uow, profile, principal.actor, path.id);
      return DONE;
    },
    'memory.access': async (reader, { input: { query }, principal }) => {
      const profile = await ownProfile(reader, principal, query.profile);
      return { body: { receipts: await consent.receipts(reader, profile, query.agent, query.limit ?? 50) } };
    },
    'memory.access.mine': async (reader, { input: { query }, principal }) => {
      const { profile, caller } = await enter(reader, principal, query.profile);
      const { grant } = await agentGrant(reader, profile.did, caller.did, clock.now());
      return {
        body: {
          agent_did: caller.did,
          permissions: caller.role === 'owner' ? ['owner'] : [...grant.permissions],
          allow: grant.allow.map(({ text }) => text),
          deny: grant.deny.map(({ text }) => text),
          receipts: await consent.receipts(reader, profile, caller.did, 20),
        },
      };
    },
    'memory.access.revoke': async (uow, { input: { body }, principal }) => {
      const profile = await ownProfile(uow, principal, body.profile);
      await consent.revoke(uow, profile, principal.actor, body.agent);
      return DONE;
    },
    'memory.access.restore': async (uow, { input: { body }, principal }) => {
      const profile = await ownProfile(uow, principal, body.profile);
      await consent.restore(uow, profile, principal.actor, body.agent);
      return DONE;
    },
  };
}
