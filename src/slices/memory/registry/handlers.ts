import { formatMillis } from '../../../kernel/instant.ts';
import { toPlain } from '../../../kernel/json/plain.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { requireProject } from '../../../spine/identity/access.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import { defaultSensitivity, parseCategory, STANDARD_CATEGORIES } from '../categories.ts';
import { requireDid } from '../did.ts';
import { memoryErrors } from '../errors.ts';
import type { MemoryService } from '../slice.ts';
import type { registryOperations } from './operations.ts';
import { liveKeys, rotateKey } from './rules.ts';
import { putAgent, putCategory, selectAgent, selectAgents, selectCategories } from './store.ts';

const DAY = 86_400;
const plainKey = (key: JsonObject) => toPlain(key) as Record<string, unknown>;

export function createRegistryHandlers(service: MemoryService): Handlers<typeof registryOperations> {
  const { keys } = service;
  const { clock } = service.deps;

  return {
    'memory.agent.put': async (uow, { input: { body }, principal }) => {
      requireProject(principal, principal.defaultProject);
      requireDid(body.did, '/did');
      const now = clock.now();
      const { public_key: given } = body;
      const known = await selectAgent(uow, body.did);
      const held = known?.projectId === principal.defaultProject ? known.keys : [];
      const holds = liveKeys(held, now).some(({ publicKeyMultibase: key }) => key === given);
      const registered = await putAgent(uow, {
        did: body.did,
        projectId: principal.defaultProject,
        keys: given === undefined || holds ? held : rotateKey(held, given, { now, overlapSeconds: 0 }),
        createdAt: formatMillis(now),
        name: body.name,
        tags: body.tags,
        operatorDid: body.operator_did,
        operatorVerified: body.operator_verified,
        audited: body.audited,
        trustScore: body.trust_score,
        jurisdiction: body.jurisdiction,
      });
      if (!registered) throw memoryErrors.A2P002({ message: 'Another project has registered this agent.' });
      return { body: { id: body.did } };
    },
    'memory.agents': async (reader, { principal }) => {
      const agents = await selectAgents(reader, principal.defaultProject);
      return { body: { agents: agents.map((agent) => ({ ...agent })) } };
    },
    'memory.keys': async (reader, { input: { query }, principal }) => ({
      body: { keys: (await keys.list(reader, principal, query.did)).map(plainKey) },
    }),
    'memory.key.rotate': async (uow, { input: { body }, principal }) => {
      const { did, public_key: key, overlap_seconds: overlap = DAY } = body;
      return { body: { keys: (await keys.rotate(uow, principal, did, key, overlap)).map(plainKey) } };
    },
    'memory.key.revoke': async (uow, { input: { body }, principal }) => ({
      body: { keys: (await keys.revoke(uow, principal, body.did, body.key_id)).map(plainKey) },
    }),
    'memory.categories': async (reader, { principal }) => {
      requireProject(principal, principal.defaultProject);
      const registered = await selectCategories(reader, principal.defaultProject);
      return {
        body: {
          categories: [
            ...STANDARD_CATEGORIES.map((category) => ({
              category,
              sensitivity: defaultSensitivity(category),
              registered: true,
            })),
            ...registered.map(({ category, sensitivity }) => ({ category, sensitivity, registered: true })),
          ],
        },
      };
    },
    'memory.category.put': async (uow, { input: { body }, principal }) => {
      requireProject(principal, principal.defaultProject);
      if (parseCategory(body.category)?.namespace !== 'ext') {
        throw memoryErrors.A2P006({
          pointer: '/category',
          message: 'Third parties register ext:<vendor>:<category>.',
        });
      }
      requireDid(body.maintainer_did, '/maintainer_did');
      await putCategory(uow, principal.defaultProject, {
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
