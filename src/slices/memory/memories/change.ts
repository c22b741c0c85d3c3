import { formatMillis } from '../../../kernel/instant.ts';
import { asString, present } from '../../../kernel/json/loose.ts';
import type { Json, JsonObject } from '../../../kernel/json/value.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import type { MemoryType, Sensitivity } from '../categories.ts';
import { checkedContent } from '../content.ts';
import { objectMember, withMembers, withMetadata } from '../documents.ts';
import { memoryErrors } from '../errors.ts';
import { recordEvent } from '../events.ts';
import type { MemoryDeps } from '../ports.ts';
import type { Profile } from '../profiles/store.ts';
import { requireCategory, sensitivityRules } from '../registry/categories.ts';
import { getMemory, type Memory, putMemory } from './keep.ts';
import { contentOf, loweredBy } from './rules.ts';

interface MemoryChange {
  readonly document: JsonObject;
  readonly type?: MemoryType;
  readonly pinned?: boolean;
}

async function change(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  actor: Actor,
  memoryId: string,
  eventType: string,
  alter: (memory: Memory, now: string) => MemoryChange,
): Promise<Memory> {
  const before = await getMemory(uow, deps, profile, memoryId);
  const altered = alter(before, formatMillis(deps.clock.now()));
  const contentHash = await putMemory(uow, deps, profile, {
    id: memoryId,
    type: before.item.class.type,
    pinned: before.item.pinned,
    ...altered,
  });
  await recordEvent(uow, deps, profile, {
    type: eventType,
    actor,
    payload: {
      memoryId,
      action: 'updated',
      content_hash: contentHash,
      ...lowering(before.document, altered.document),
    },
    webhook: 'memory.updated',
    subject: { type: 'memory', id: memoryId },
  });
  return getMemory(uow, deps, profile, memoryId);
}

export interface MemoryEdit {
  readonly content?: string | undefined;
  readonly category?: string | undefined;
  readonly sensitivity?: Sensitivity | undefined;
  readonly scope?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** The previous content stays in the memory's history; repeating an edit changes nothing. */
export async function editMemory(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  actor: Actor,
  memoryId: string,
  { content: given, ...rest }: MemoryEdit,
): Promise<Memory> {
  await requireCategory(uow, profile, rest.category);
  const content = given === undefined ? undefined : checkedContent(given);
  const changes = present(rest) as Record<string, Json>;
  const rules = await sensitivityRules(uow, profile);
  return change(uow, deps, profile, actor, memoryId, 'memory.edited', ({ document }, at) => {
    const previous = contentOf(document);
    const edited = withSensitivity(withMembers(document, changes), rest, (each) =>
      loweredBy(actor, at, each, rules),
    );
    if (content === undefined || content === previous) return { document: edited };
    const entry = { editedAt: at, previousContent: previous, editedBy: actor.id };
    const editHistory = [...listIn(document, 'editHistory'), entry];
    return { document: withMetadata(withMembers(edited, { content }), { editHistory }) };
  });
}

/** Who lowered a memory did so for the category it had: in another one it counts as lowered only if that is said again. */
function withSensitivity(
  document: JsonObject,
  { sensitivity, category }: MemoryEdit,
  lowered: (document: JsonObject) => JsonObject,
): JsonObject {
  if (sensitivity !== undefined) return lowered(document);
  return category === undefined ? document : withMetadata(document, { sensitivityLowered: undefined });
}

/** Moves an approved memory to another type; the move is recorded in its metadata. */
export async function reclassifyMemory(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  actor: Actor,
  memoryId: string,
  to: MemoryType,
  by: 'user' | 'proposal' | 'promotion',
): Promise<Memory> {
  return change(uow, deps, profile, actor, memoryId, 'memory.reclassified', ({ document, item }, at) => {
    const from = item.class.type;
    if (item.status !== 'approved' || from === to) throw memoryErrors.A2P025({ pointer: '/memory_type' });
    const legacy = asString(document.category) === `a2p:${from}`;
    const moved = legacy ? withMembers(document, { category: undefined }) : document;
    const reclassifications = [...listIn(document, 'reclassifications'), { from, to, at, by }];
    return { type: to, document: withMetadata(moved, { reclassifications }) };
  });
}

/** A pinned memory does not fade. */
export async function pinMemory(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  actor: Actor,
  memoryId: string,
  pinned: boolean,
): Promise<Memory> {
  const eventType = pinned ? 'memory.pinned' : 'memory.unpinned';
  return change(uow, deps, profile, actor, memoryId, eventType, ({ document }) => ({
    document: withMetadata(document, { pinned: pinned ? true : undefined }),
    pinned,
  }));
}

/** Resets its age: the confidence that was lost over time comes back. */
export async function confirmMemory(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  actor: Actor,
  memoryId: string,
): Promise<Memory> {
  return change(uow, deps, profile, actor, memoryId, 'memory.confirmed', ({ document }, at) => ({
    document: withMetadata(document, { lastConfirmed: at }),
  }));
}

/** Hides a memory from everyone but its person. */
export async function archiveMemory(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  actor: Actor,
  memoryId: string,
  supersededBy?: string,
): Promise<Memory> {
  return change(uow, deps, profile, actor, memoryId, 'memory.archived', ({ document }, at) => ({
    document: withMetadata(withMembers(document, { status: 'archived' }), {
      archivedAt: at,
      ...(supersededBy !== undefined && { supersededBy }),
    }),
  }));
}

export async function restoreMemory(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  actor: Actor,
  memoryId: string,
): Promise<Memory> {
  return change(uow, deps, profile, actor, memoryId, 'memory.restored', ({ document }) => ({
    document: withMetadata(withMembers(document, { status: 'approved' }), {
      archivedAt: undefined,
      supersededBy: undefined,
    }),
  }));
}

/** Only that it was lowered: the journal says neither the level nor the category. */
function lowering(before: JsonObject, after: JsonObject): JsonObject {
  const [was, is] = [before, after].map((each) => objectMember(each, 'metadata').sensitivityLowered);
  return is !== undefined && is !== was ? { sensitivity_lowered: true } : {};
}

function listIn(document: JsonObject, name: string): readonly Json[] {
  const list = objectMember(document, 'metadata')[name];
  return Array.isArray(list) ? list : [];
}
