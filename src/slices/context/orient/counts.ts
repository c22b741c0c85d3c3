import type { Principal } from '../../../spine/identity/principal.ts';
import { countUpTo } from '../../../spine/storage/bounded-count.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { requireReadableProject } from '../access.ts';
import { CURRENT_OF_PROJECT, KEYS_OF_PROJECT } from '../facts/store.ts';
import { countVisible } from '../packages/list-store.ts';
import type { ContextDeps } from '../ports.ts';

/** What the lists of a project hold in all, as this caller sees them. */
export async function countProject(
  reader: Reader,
  { identity, clock }: Pick<ContextDeps, 'identity' | 'clock'>,
  principal: Principal,
  projectId: string,
) {
  await requireReadableProject(reader, principal, projectId);
  const now = clock.now();
  const { total } = await identity.listSessions(reader, projectId, { limit: 1, offset: 0 });
  return {
    packages: await countVisible(reader, projectId, principal.actor),
    facts: await countUpTo(reader, CURRENT_OF_PROJECT, [projectId, now, now]),
    fact_keys: await countUpTo(reader, KEYS_OF_PROJECT, [projectId]),
    sessions: { count: total, exact: true },
  };
}
