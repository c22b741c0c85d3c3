import { toHex } from '../../../kernel/hex.ts';
import { prefixedId } from '../../../kernel/ids.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import { readJson } from '../../../kernel/json/reader.ts';
import type { Json, JsonObject } from '../../../kernel/json/value.ts';
import { writeJson } from '../../../kernel/json/write.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { isRegistered, parseCategory, type SensitivityRules } from '../categories.ts';
import { numberMember, objectMember, textMember, withMembers, withMetadata } from '../documents.ts';
import { memoryErrors } from '../errors.ts';
import type { Tell } from '../event-recorder.ts';
import { saltedHash } from '../fingerprint.ts';
import type { MemoryType } from '../memory-type.ts';
import type { MemoryDeps } from '../ports.ts';
import type { Profile } from '../profiles/store.ts';
import { selectCategories } from '../registry/store.ts';
import { deleteText, putText, selectText, selectTexts } from '../text-store.ts';
import { contentOf, facetsOf, type MemoryFacets } from './rules.ts';
import { deleteItem, ensureClass, type MemoryItem, putItem, selectItem, selectItems } from './store.ts';

export interface Memory {
  readonly item: MemoryItem;
  /** As written, with what the store counts laid over it. */
  readonly document: JsonObject;
  readonly contentHash: string;
}

/** A memory on its way into the store. */
interface Kept {
  readonly id: string;
  readonly type: MemoryType;
  readonly document: JsonObject;
  readonly pinned?: boolean;
}

export const COLLECTION = 'memory';
const searchId = (did: string, memoryId: string) => `${did} ${memoryId}`;
export const memoryIdOf = (id: string) => id.slice(id.indexOf(' ') + 1);

export type Memories = ReturnType<typeof createMemories>;

/** Memories of a profile: their document, what is kept beside it, and their place in the index, always changed together. */
export function createMemories(deps: MemoryDeps, tell: Tell) {
  const { clock, random, hasher, search } = deps;
  const newSalt = () => toHex(random.bytes(16));

  async function sensitivityRules(reader: Reader, profile: Profile): Promise<SensitivityRules> {
    const registered = await selectCategories(reader, profile.projectId);
    return {
      registered: Object.fromEntries(registered.map(({ category, sensitivity }) => [category, sensitivity])),
      ...(profile.settings.sensitivity && { overrides: profile.settings.sensitivity }),
      ...(profile.settings.defaultSensitivity !== undefined && {
        fallback: profile.settings.defaultSensitivity,
      }),
    };
  }

  async function requireCategory(reader: Reader, profile: Profile, text: string | undefined): Promise<void> {
    if (text === undefined) return;
    const category = parseCategory(text);
    if (!category) throw memoryErrors.A2P006({ message: 'This is no category.', pointer: '/category' });
    if (profile.settings.strictCategories !== true) return;
    const { registered } = await sensitivityRules(reader, profile);
    if (isRegistered(category, registered)) return;
    throw memoryErrors.A2P006({
      message: 'This profile takes registered categories only.',
      pointer: '/category',
    });
  }

  async function put(uow: UnitOfWork, profile: Profile, memory: Kept): Promise<string> {
    const facets = facetsOf(memory.document, memory.type, await sensitivityRules(uow, profile));
    const classId = await ensureClass(uow, profile.did, facets);
    const salt = (await selectText(uow, profile.did, memory.id))?.salt ?? newSalt();
    return write(uow, profile, memory, { facets, classId, salt });
  }

  /** For a profile that has none of them yet: what they share is looked up once. */
  async function putAll(uow: UnitOfWork, profile: Profile, kept: Iterable<Kept>): Promise<void> {
    const rules = await sensitivityRules(uow, profile);
    const classes = new Map<string, number>();
    for (const memory of kept) {
      const facets = facetsOf(memory.document, memory.type, rules);
      const { type, category, sensitivity, scope } = facets;
      const key = JSON.stringify([type, category, sensitivity, scope]);
      const classId = classes.get(key) ?? (await ensureClass(uow, profile.did, facets));
      classes.set(key, classId);
      await write(uow, profile, memory, { facets, classId, salt: newSalt() });
    }
  }

  async function write(
    uow: UnitOfWork,
    profile: Profile,
    { id, document, pinned = false }: Kept,
    { facets, classId, salt }: { facets: MemoryFacets; classId: number; salt: string },
  ): Promise<string> {
    await putItem(uow, profile.did, id, facets, { classId, now: clock.now(), pinned });
    await putText(uow, profile.did, { ref: id, salt, body: writeJson(document) });
    const key = { projectId: profile.projectId, collection: COLLECTION, id: searchId(profile.did, id) };
    if (facets.status === 'approved') {
      const tags = document.tags;
      search.index(uow, {
        ...key,
        fields: [
          { name: 'content', text: contentOf(document) },
          ...(Array.isArray(tags)
            ? [{ name: 'tags', text: tags.filter((tag) => typeof tag === 'string').join(' ') }]
            : []),
        ],
        attributes: { class: String(classId) },
        ...(facets.learned !== undefined && { time: facets.learned }),
      });
    } else search.remove(uow, key);
    return saltedHash(hasher, salt, contentOf(document));
  }

  async function withDocuments(reader: Reader, did: string, items: readonly MemoryItem[]): Promise<Memory[]> {
    const texts = await selectTexts(
      reader,
      did,
      items.map(({ memoryId }) => memoryId),
    );
    return items.flatMap((item) => {
      const text = texts.get(item.memoryId);
      if (!text) return [];
      const document = readJson(text.body) as JsonObject;
      return [
        {
          item,
          document: withUses(document, item),
          contentHash: saltedHash(hasher, text.salt, contentOf(document)),
        },
      ];
    });
  }

  async function get(reader: Reader, profile: Profile, memoryId: string): Promise<Memory> {
    const item = await selectItem(reader, profile.did, memoryId);
    const [memory] = item ? await withDocuments(reader, profile.did, [item]) : [];
    if (!memory)
      throw memoryErrors.A2P003({ message: 'There is no such memory.', details: { id: memoryId } });
    return memory;
  }

  async function change(
    uow: UnitOfWork,
    profile: Profile,
    memoryId: string,
    actor: Actor,
    type: string,
    alter: (memory: Memory, now: string) => { document: JsonObject; type?: MemoryType; pinned?: boolean },
  ): Promise<Memory> {
    const before = await get(uow, profile, memoryId);
    const altered = alter(before, formatMillis(clock.now()));
    const contentHash = await put(uow, profile, {
      id: memoryId,
      type: altered.type ?? before.item.class.type,
      document: altered.document,
      pinned: altered.pinned ?? before.item.pinned,
    });
    await tell(uow, profile, {
      type,
      actor,
      payload: { memoryId, action: 'updated', content_hash: contentHash },
      webhook: 'memory.updated',
      subject: { type: 'memory', id: memoryId },
    });
    return get(uow, profile, memoryId);
  }

  return {
    put,
    putAll,
    get,
    change,
    withDocuments,
    sensitivityRules,
    requireCategory,
    newId: () => prefixedId('mem', random),

    async list(
      reader: Reader,
      profile: Profile,
      filter: Parameters<typeof selectItems>[2],
    ): Promise<Memory[]> {
      return withDocuments(reader, profile.did, await selectItems(reader, profile.did, filter));
    },

    async create(
      uow: UnitOfWork,
      profile: Profile,
      actor: Actor,
      memory: { readonly id: string; readonly type: MemoryType; readonly document: JsonObject },
      more: JsonObject = {},
    ): Promise<void> {
      const contentHash = await put(uow, profile, memory);
      await tell(uow, profile, {
        type: 'memory.created',
        actor,
        payload: {
          memoryId: memory.id,
          action: 'created',
          memory_type: memory.type,
          content_hash: contentHash,
          ...more,
        },
        webhook: 'memory.created',
        subject: { type: 'memory', id: memory.id },
      });
    },

    /** The same edit again changes nothing; what stood there before stays in the history of the memory. */
    edit: (
      uow: UnitOfWork,
      profile: Profile,
      memoryId: string,
      actor: Actor,
      edit: {
        content?: string;
        category?: string;
        sensitivity?: string;
        scope?: readonly string[];
        tags?: readonly string[];
      },
    ) =>
      change(uow, profile, memoryId, actor, 'memory.edited', ({ document }, at) => {
        const { content, ...rest } = edit;
        const changes: Record<string, Json> = { ...rest } as Record<string, Json>;
        if (content === undefined || content === contentOf(document))
          return { document: withMembers(document, changes) };
        const history = objectMember(document, 'metadata').editHistory;
        const entry = { editedAt: at, previousContent: contentOf(document), editedBy: actor.id };
        return {
          document: withMetadata(withMembers(document, { ...changes, content }), {
            editHistory: [...(Array.isArray(history) ? history : []), entry],
          }),
        };
      }),

    reclassify: (
      uow: UnitOfWork,
      profile: Profile,
      memoryId: string,
      actor: Actor,
      to: MemoryType,
      by: 'user' | 'proposal' | 'promotion' | 'undo',
    ) =>
      change(uow, profile, memoryId, actor, 'memory.reclassified', ({ document, item }, at) => {
        if (item.status !== 'approved' || item.class.type === to)
          throw memoryErrors.A2P025({ pointer: '/memory_type' });
        const before = objectMember(document, 'metadata').reclassifications;
        const entry = { from: item.class.type, to, at, by };
        const legacy = textMember(document, 'category') === `a2p:${item.class.type}`;
        const moved = legacy ? withMembers(document, { category: undefined }) : document;
        return {
          type: to,
          document: withMetadata(moved, {
            reclassifications: [...(Array.isArray(before) ? before : []), entry],
          }),
        };
      }),

    pin: (uow: UnitOfWork, profile: Profile, memoryId: string, actor: Actor, pinned: boolean) =>
      change(uow, profile, memoryId, actor, pinned ? 'memory.pinned' : 'memory.unpinned', ({ document }) => ({
        document: withMetadata(document, { pinned: pinned ? true : undefined }),
        pinned,
      })),

    /** Says that it still holds: what time took from the confidence comes back. */
    confirm: (uow: UnitOfWork, profile: Profile, memoryId: string, actor: Actor) =>
      change(uow, profile, memoryId, actor, 'memory.confirmed', ({ document }, at) => ({
        document: withMetadata(document, { lastConfirmed: at }),
      })),

    archive: (uow: UnitOfWork, profile: Profile, memoryId: string, actor: Actor, supersededBy?: string) =>
      change(uow, profile, memoryId, actor, 'memory.archived', ({ document }, at) => ({
        document: withMetadata(withMembers(document, { status: 'archived' }), {
          archivedAt: at,
          ...(supersededBy !== undefined && { supersededBy }),
        }),
      })),

    restore: (uow: UnitOfWork, profile: Profile, memoryId: string, actor: Actor) =>
      change(uow, profile, memoryId, actor, 'memory.restored', ({ document }) => ({
        document: withMetadata(withMembers(document, { status: 'approved' }), {
          archivedAt: undefined,
          supersededBy: undefined,
        }),
      })),

    async erase(uow: UnitOfWork, profile: Profile, memoryId: string): Promise<void> {
      search.remove(uow, {
        projectId: profile.projectId,
        collection: COLLECTION,
        id: searchId(profile.did, memoryId),
      });
      await deleteItem(uow, profile.did, memoryId);
      await deleteText(uow, profile.did, memoryId);
    },

    contentHash: async (reader: Reader, did: string, ref: string, text: string) => {
      const stored = await selectText(reader, did, ref);
      return saltedHash(hasher, stored?.salt ?? '', text);
    },
  };
}

function withUses(document: JsonObject, item: MemoryItem): JsonObject {
  const metadata = objectMember(document, 'metadata');
  const counted = numberMember(metadata, 'useCount') ?? 0;
  const used = textMember(metadata, 'lastUsed') ?? null;
  if (counted === item.useCount && used === item.lastUsedAt) return document;
  return withMetadata(document, {
    useCount: item.useCount,
    ...(item.lastUsedAt !== null && { lastUsed: item.lastUsedAt }),
  });
}
