/** A memory is its document, the row kept beside it, and its place in the search index: always written together. */
import { toHex } from '../../../kernel/hex.ts';
import { prefixedId } from '../../../kernel/ids.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import { asNumber, asString } from '../../../kernel/json/loose.ts';
import { fromPlain, toPlain } from '../../../kernel/json/plain.ts';
import { readJson } from '../../../kernel/json/reader.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { writeJson } from '../../../kernel/json/write.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { inTurns } from '../../../spine/storage/in-turns.ts';
import { impliedType, type MemoryType, type Sensitivity } from '../categories.ts';
import { checkedContent, saltedHash } from '../content.ts';
import { objectMember, withMetadata } from '../documents.ts';
import { memoryErrors } from '../errors.ts';
import { recordEvent } from '../events.ts';
import type { MemoryDeps } from '../ports.ts';
import type { Profile } from '../profiles/store.ts';
import { requireCategory, sensitivityRules } from '../registry/categories.ts';
import { deleteText, putText, selectText, selectTexts } from '../text-store.ts';
import { classify } from './classify.ts';
import { contentOf, facetsOf, loweredBy, type MemoryFacets } from './rules.ts';
import { memoryDocument, memoryKey } from './search-document.ts';
import {
  deleteItem,
  ensureClass,
  type ItemFilter,
  type MemoryItem,
  putItem,
  selectItem,
  selectItems,
} from './store.ts';

export interface Memory {
  readonly item: MemoryItem;
  /** As written, with the counts of the store laid over it. */
  readonly document: JsonObject;
  readonly contentHash: string;
}

export interface NewMemory {
  readonly id: string;
  readonly type: MemoryType;
  readonly document: JsonObject;
  readonly pinned?: boolean;
}

const searchKey = ({ projectId, did }: Profile, memoryId: string) => memoryKey(projectId, did, memoryId);
export const memoryIdOf = (searchId: string) => searchId.slice(searchId.indexOf(' ') + 1);

export const newMemoryId = ({ random }: MemoryDeps) => prefixedId('mem', random);
const newSalt = ({ random }: MemoryDeps) => toHex(random.bytes(16));

/** Writes a memory without an event; answers the salted hash of its content. */
export async function putMemory(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  memory: NewMemory,
): Promise<string> {
  const facets = facetsOf(memory.document, memory.type, await sensitivityRules(uow, profile));
  const classId = await ensureClass(uow, profile.did, facets);
  const salt = (await selectText(uow, profile.did, memory.id))?.salt ?? newSalt(deps);
  return write(uow, deps, profile, memory, { facets, classId, salt });
}

/** For a profile that holds none of them yet: what they have in common is looked up once. */
export async function putNewMemories(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  memories: Iterable<NewMemory>,
): Promise<void> {
  const rules = await sensitivityRules(uow, profile);
  const classes = new Map<string, number>();
  for (const memory of memories) {
    const facets = facetsOf(memory.document, memory.type, rules);
    const { type, category, sensitivity, lowered, scope } = facets;
    const key = JSON.stringify([type, category, sensitivity, lowered, scope]);
    const classId = classes.get(key) ?? (await ensureClass(uow, profile.did, facets));
    classes.set(key, classId);
    await write(uow, deps, profile, memory, { facets, classId, salt: newSalt(deps) });
  }
}

async function write(
  uow: UnitOfWork,
  { clock, hasher, search }: MemoryDeps,
  profile: Profile,
  { id, document, pinned = false }: NewMemory,
  { facets, classId, salt }: { facets: MemoryFacets; classId: number; salt: string },
): Promise<string> {
  await putItem(uow, profile.did, id, facets, { classId, now: clock.now(), pinned });
  await putText(uow, profile.did, { ref: id, salt, body: writeJson(document) });
  const key = searchKey(profile, id);
  if (facets.status === 'approved') {
    search.index(uow, memoryDocument(key, document, { classId, learned: facets.learned }));
  } else search.remove(uow, key);
  return saltedHash(hasher, salt, contentOf(document));
}

export async function createMemory(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  actor: Actor,
  memory: NewMemory,
  origin: JsonObject = {},
): Promise<void> {
  const contentHash = await putMemory(uow, deps, profile, memory);
  await recordEvent(uow, deps, profile, {
    type: 'memory.created',
    actor,
    payload: {
      memoryId: memory.id,
      action: 'created',
      memory_type: memory.type,
      content_hash: contentHash,
      ...origin,
    },
    webhook: 'memory.created',
    subject: { type: 'memory', id: memory.id },
  });
}

export interface MemoryByHand {
  readonly content: string;
  readonly category?: string | undefined;
  /** What the category implies, or the rules find, unless given. */
  readonly type?: MemoryType | undefined;
  readonly sensitivity?: Sensitivity | undefined;
  readonly scope?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** A memory that its person writes themselves needs nobody's approval. */
export async function addMemory(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  actor: Actor,
  { content, category, type: given, ...rest }: MemoryByHand,
): Promise<Memory> {
  await requireCategory(uow, profile, category);
  const implied = impliedType(category);
  if (given !== undefined && implied !== undefined && given !== implied)
    throw memoryErrors.A2P024({ pointer: '/memory_type' });
  const id = newMemoryId(deps);
  const at = formatMillis(deps.clock.now());
  const text = checkedContent(content);
  const document = fromPlain({
    id,
    content: text,
    category,
    source: { type: 'user_manual', timestamp: at },
    confidence: 1,
    status: 'approved',
    ...rest,
    metadata: { approvedAt: at, useCount: 0, initialConfidence: 1 },
  }) as JsonObject;
  const lowered = loweredBy(actor, at, document, await sensitivityRules(uow, profile));
  const type = given ?? implied ?? classify({ content: text }).type;
  await createMemory(uow, deps, profile, actor, { id, type, document: lowered });
  return getMemory(uow, deps, profile, id);
}

export async function getMemory(
  reader: Reader,
  deps: MemoryDeps,
  profile: Profile,
  memoryId: string,
): Promise<Memory> {
  const rules = await sensitivityRules(reader, profile);
  const item = await selectItem(reader, profile.did, rules, memoryId);
  const [memory] = item ? await withDocuments(reader, deps, profile, [item]) : [];
  if (!memory) throw memoryErrors.A2P003({ message: 'There is no such memory.', details: { id: memoryId } });
  return memory;
}

export async function listMemories(
  reader: Reader,
  deps: MemoryDeps,
  profile: Profile,
  filter: ItemFilter,
): Promise<Memory[]> {
  const rules = await sensitivityRules(reader, profile);
  return withDocuments(reader, deps, profile, await selectItems(reader, profile.did, rules, filter));
}

async function withDocuments(
  reader: Reader,
  { hasher }: MemoryDeps,
  { did }: Profile,
  items: readonly MemoryItem[],
): Promise<Memory[]> {
  const ids = items.map(({ memoryId }) => memoryId);
  const texts = await selectTexts(reader, did, ids);
  const found = await inTurns(reader, items, (item) => {
    const text = texts.get(item.memoryId);
    if (!text) return undefined;
    const document = readJson(text.body) as JsonObject;
    const contentHash = saltedHash(hasher, text.salt, contentOf(document));
    return { item, document: withUses(document, item), contentHash };
  });
  return found.filter((memory) => memory !== undefined);
}

/** Deletes the memory, its text and its place in the index, without an event. */
export async function eraseMemory(
  uow: UnitOfWork,
  { search }: MemoryDeps,
  profile: Profile,
  memoryId: string,
): Promise<void> {
  search.remove(uow, searchKey(profile, memoryId));
  await deleteItem(uow, profile.did, memoryId);
  await deleteText(uow, profile.did, memoryId);
}

export const plainMemory = ({ item, document }: Memory) => ({
  type: item.class.type,
  memory: toPlain(document) as Record<string, unknown>,
  confidence: item.confidence,
});

function withUses(document: JsonObject, item: MemoryItem): JsonObject {
  const metadata = objectMember(document, 'metadata');
  const counted = asNumber(metadata.useCount) ?? 0;
  const used = asString(metadata.lastUsed) ?? null;
  if (counted === item.useCount && used === item.lastUsedAt) return document;
  return withMetadata(document, {
    useCount: item.useCount,
    ...(item.lastUsedAt !== null && { lastUsed: item.lastUsedAt }),
  });
}
