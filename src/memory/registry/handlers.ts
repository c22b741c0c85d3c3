import { requireProject } from '../../identity/access.ts';
import { formatMillis } from '../../kernel/instant.ts';
import type { Handlers } from '../../operations/handler.ts';
import { memoryErrors } from '../errors.ts';
import { ed25519FromMultibase } from '../rules/base58.ts';
import { defaultSensitivity, parseCategory, STANDARD_CATEGORIES } from '../rules/category.ts';
import { requireDid } from '../rules/did.ts';
import type { MemoryService } from '../service/service.ts';
import { putAgent, putCategory, selectAgents, selectCategories } from '../store/agent-store.ts';
import type { registryOperations } from './operations.ts';

export function createRegistryHandlers(service: MemoryService): Handlers<typeof registryOperations> {
  const { clock } = service.deps;

  return {
    'memory.agent.put': async (uow, { input: { body }, principal }) => {
      requireProject(principal, principal.defaultProject);
      requireDid(body.did, '/did');
      if (body.public_key !== undefined && !ed25519FromMultibase(body.public_key)) {
        throw memoryErrors.A2P006({
          pointer: '/public_key',
          message: 'This is no Ed25519 key in base58 multibase.',
        });
      }
      const registered = await putAgent(uow, {
        did: body.did,
        projectId: principal.defaultProject,
        publicKey: body.public_key,
        createdAt: formatMillis(clock.now()),
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
