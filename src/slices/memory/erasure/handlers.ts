import { isOwner } from '../../../spine/identity/access.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import { memoryErrors } from '../errors.ts';
import type { MemoryDeps } from '../ports.ts';
import { carryOut } from './carry-out.ts';
import type { erasureOperations } from './operations.ts';
import { maySee, requestErasure } from './request.ts';
import { OUTSIDE, remainsBody, scopeOf } from './rules.ts';
import { type Erasure, selectErasure, selectErasures } from './store.ts';

export function createErasureHandlers(deps: MemoryDeps): Handlers<typeof erasureOperations> {
  const { db } = deps;
  const body = (erasure: Erasure) => ({
    erasure_id: erasure.erasureId,
    state: erasure.state,
    profile: erasure.profileDid,
    what: erasure.scope.what,
    ...(erasure.scope.target !== '' && { target: erasure.scope.target }),
    memories: erasure.memories,
    proposals: erasure.proposals,
    unmerged: erasure.unmerged,
    requested_at: erasure.requestedAt,
    removed_at: erasure.removedAt,
    finished_at: erasure.finishedAt,
    remains: remainsBody(erasure.remains),
    outside: [...OUTSIDE[db.engine]],
  });
  return {
    'memory.erase': async ({ input, principal }) => {
      const { profile, ...request } = input.body;
      const scope = scopeOf(request);
      const asked = await db.write((uow) => requestErasure(uow, deps, principal, profile, scope));
      const erasure = asked.state === 'done' ? asked : await carryOut(deps, asked.erasureId);
      return { status: erasure.state === 'done' ? 200 : 202, body: body(erasure) };
    },
    'memory.erasures': async (reader, { input: { query }, principal }) => {
      const found = await selectErasures(reader, {
        projectId: principal.defaultProject,
        profileDid: query.profile,
        ...(!isOwner(principal) && { ownerActor: principal.actor.id }),
        limit: query.limit ?? 50,
      });
      return { body: { erasures: found.filter((each) => maySee(principal, each)).map(body) } };
    },
    'memory.erasure.get': async (reader, { input: { path }, principal }) => {
      const erasure = await selectErasure(reader, path.id);
      if (!erasure || !maySee(principal, erasure))
        throw memoryErrors.A2P003({ message: 'There is no such erasure.', details: { id: path.id } });
      return { body: body(erasure) };
    },
  };
}
