import { toPlain } from '../../../kernel/json/plain.ts';
import { requireProject } from '../../../spine/identity/access.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import { defaultSensitivity, STANDARD_CATEGORIES } from '../categories.ts';
import { memoryErrors } from '../errors.ts';
import type { MemoryDeps } from '../ports.ts';
import { registerAgent } from './agents.ts';
import { registerCategory } from './categories.ts';
import { listKeys, revokeHeldKey, rotateHeldKey } from './keys.ts';
import type { registryOperations } from './operations.ts';
import type { KeyRing } from './rules.ts';
import { selectAgents, selectCategories } from './store.ts';

const DAY = 86_400;

export function createRegistryHandlers(deps: MemoryDeps): Handlers<typeof registryOperations> {
  return {
    'memory.agent.put': async (uow, { input: { body }, principal }) => {
      requireProject(principal, principal.defaultProject);
      requirePerson(principal);
      await registerAgent(uow, deps, principal.defaultProject, {
        did: body.did,
        publicKey: body.public_key,
        name: body.name,
        tags: body.tags,
        operatorDid: body.operator_did,
        operatorVerified: body.operator_verified,
        audited: body.audited,
        trustScore: body.trust_score,
        jurisdiction: body.jurisdiction,
      });
      return { body: { id: body.did } };
    },
    'memory.agents': async (reader, { principal }) => {
      const agents = await selectAgents(reader, principal.defaultProject);
      return { body: { agents: agents.map((agent) => ({ ...agent })) } };
    },
    'memory.keys': async (reader, { input: { query }, principal }) =>
      keysBody(await listKeys(reader, deps, principal, query.did)),
    'memory.key.rotate': async (uow, { input: { body }, principal }) => {
      const { did, public_key: publicKey, overlap_seconds: overlapSeconds = DAY } = body;
      return keysBody(await rotateHeldKey(uow, deps, principal, did, { publicKey, overlapSeconds }));
    },
    'memory.key.revoke': async (uow, { input: { body }, principal }) =>
      keysBody(await revokeHeldKey(uow, deps, principal, body.did, body.key_id)),
    'memory.categories': async (reader, { principal }) => {
      requireProject(principal, principal.defaultProject);
      const standard = STANDARD_CATEGORIES.map((category) => ({
        category,
        sensitivity: defaultSensitivity(category),
      }));
      const added = await selectCategories(reader, principal.defaultProject);
      const categories = [...standard, ...added].map(({ category, sensitivity }) => ({
        category,
        sensitivity,
        registered: true,
      }));
      return { body: { categories } };
    },
    'memory.category.put': async (uow, { input: { body }, principal }) => {
      requireProject(principal, principal.defaultProject);
      requirePerson(principal);
      await registerCategory(uow, principal.defaultProject, {
        category: body.category,
        version: body.version,
        specUrl: body.spec_url ?? null,
        maintainerDid: body.maintainer_did,
        sensitivity: body.sensitivity ?? 'standard',
      });
      return { body: { id: body.category } };
    },
  };
}

/** Who an agent is, and how sensitive a category is, decide what agents may read: no agent says that of itself. */
function requirePerson({ actor }: Principal): void {
  if (actor.type !== 'human')
    throw memoryErrors.A2P002({
      message: 'Only a person may register agents and categories.',
      next: 'Use the credential of a person.',
    });
}

const keysBody = (ring: KeyRing) => ({
  body: { keys: ring.map((key) => toPlain(key) as Record<string, unknown>) },
});
