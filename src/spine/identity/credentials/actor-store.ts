import { isActorId } from '../../../kernel/actor-id.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import type { Reader, UnitOfWork } from '../../storage/database.ts';
import { identityErrors } from '../errors.ts';
import type { Actor } from '../principal.ts';

export interface StoredActor extends Actor {
  readonly displayName: string | null;
}

export async function selectActor(reader: Reader, actorId: string): Promise<StoredActor | undefined> {
  const row = await reader.get<{ actor_type: Actor['type']; display_name: string | null }>(
    'select actor_type, display_name from actors where actor_id = ?',
    [actorId],
  );
  return row && { id: actorId, type: row.actor_type, displayName: row.display_name };
}

/** An id means one actor of one type; a display name given later replaces the one before. */
export async function ensureActor(
  uow: UnitOfWork,
  actor: Actor,
  now: number,
  displayName?: string,
): Promise<void> {
  const inserted = await uow.run(
    `insert into actors (actor_id, actor_type, display_name, created_at, created_us) values (?, ?, ?, ?, ?)
     on conflict do nothing`,
    [actor.id, actor.type, displayName ?? null, formatMicros(now), now],
  );
  // Actors of older stores keep their ids: only a new one must have the syntax.
  if (inserted === 1 && !isActorId(actor.id)) throw identityErrors.invalid_actor_id({ pointer: '/actor_id' });
  if (inserted === 1) return;
  const stored = await selectActor(uow, actor.id);
  if (stored && stored.type !== actor.type) {
    throw identityErrors.actor_type_conflict({ pointer: '/actor_id', details: { type: stored.type } });
  }
  if (displayName !== undefined) {
    await uow.run('update actors set display_name = ? where actor_id = ?', [displayName, actor.id]);
  }
}
