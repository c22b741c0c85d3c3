import type { Handlers } from '../../../spine/operations/handler.ts';
import { memoryErrors } from '../errors.ts';
import type { MemoryDeps } from '../ports.ts';
import { ownProfile } from '../profile-access.ts';
import { type ErasureScope, erase } from './erase.ts';
import type { erasureOperations } from './operations.ts';

export function createErasureHandlers(deps: MemoryDeps): Handlers<typeof erasureOperations> {
  return {
    'memory.erase': async ({ input: { body }, principal }) => {
      const profile = await deps.db.read((reader) => ownProfile(reader, deps, principal, body.profile));
      return { body: await erase(deps, profile, principal.actor, scopeOf(body)) };
    },
  };
}

interface EraseBody {
  readonly memory?: string | undefined;
  readonly agent?: string | undefined;
  readonly category?: string | undefined;
  readonly everything?: boolean | undefined;
}

/** Exactly one: an ambiguous request erases nothing. */
function scopeOf({ memory, agent, category, everything }: EraseBody): ErasureScope {
  const scopes: ErasureScope[] = [];
  if (memory !== undefined) scopes.push({ what: 'memory', id: memory });
  if (agent !== undefined) scopes.push({ what: 'agent', did: agent });
  if (category !== undefined) scopes.push({ what: 'category', category });
  if (everything === true) scopes.push({ what: 'profile' });
  const [only] = scopes;
  if (!only || scopes.length > 1)
    throw memoryErrors.A2P006({ message: 'Give exactly one of memory, agent, category or everything.' });
  return only;
}
