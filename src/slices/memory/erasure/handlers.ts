import type { Handlers } from '../../../spine/operations/handler.ts';
import { memoryErrors } from '../errors.ts';
import { createEntrance } from '../profile-access.ts';
import type { MemoryService } from '../slice.ts';
import type { Forget } from './erase.ts';
import type { erasureOperations } from './operations.ts';

export function createErasureHandlers(service: MemoryService): Handlers<typeof erasureOperations> {
  const { db } = service.deps;
  const { ownProfile } = createEntrance(service);

  return {
    'memory.erase': async ({ input: { body }, principal }) => {
      const profile = await db.read((reader) => ownProfile(reader, principal, body.profile));
      return { body: await service.erase(profile, principal.actor, forgetOf(body)) };
    },
  };
}

interface EraseBody {
  readonly memory?: string | undefined;
  readonly agent?: string | undefined;
  readonly category?: string | undefined;
  readonly everything?: boolean | undefined;
}

/** Exactly one thing: a request that could be read in two ways forgets nothing. */
function forgetOf({ memory, agent, category, everything }: EraseBody): Forget {
  const given: Forget[] = [];
  if (memory !== undefined) given.push({ what: 'memory', id: memory });
  if (agent !== undefined) given.push({ what: 'agent', did: agent });
  if (category !== undefined) given.push({ what: 'category', category });
  if (everything === true) given.push({ what: 'profile' });
  const [only] = given;
  if (!only || given.length > 1) {
    throw memoryErrors.A2P006({ message: 'Say one of memory, agent, category or everything.' });
  }
  return only;
}
