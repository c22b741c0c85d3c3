import { asString } from '../../../kernel/json/loose.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../kernel/json/value.ts';
import { arrayKeyOf, MEMORY_TYPES, type MemoryType } from '../categories.ts';
import { CONTENT_LIMIT, sanitizeText } from '../content.ts';
import { objectMember, withMembers } from '../documents.ts';
import { memoryErrors } from '../errors.ts';

export interface ImportedMemory {
  readonly type: MemoryType;
  readonly document: JsonObject;
}

export interface SplitProfile {
  /** The profile as written, with empty lists in place of what is stored apart. */
  readonly skeleton: JsonObject;
  readonly memories: readonly ImportedMemory[];
  readonly proposals: readonly JsonObject[];
  readonly policies: readonly JsonObject[];
}

/** Nothing is lost: what is not understood stays in the skeleton. */
export function splitProfile(profile: JsonObject): SplitProfile {
  const memories: ImportedMemory[] = [];
  const held = objectMember(profile, 'memories');
  let emptied = held;
  for (const type of MEMORY_TYPES) {
    const key = arrayKeyOf(type);
    if (held[key] === undefined) continue;
    for (const document of objectsIn(held[key], `/memories/${key}`)) {
      if (typeof document.content !== 'string') {
        throw memoryErrors.A2P006({
          message: 'A memory must have a text as its content.',
          pointer: `/memories/${key}`,
        });
      }
      memories.push({ type, document });
    }
    emptied = withMembers(emptied, { [key]: [] });
  }
  const proposals =
    profile.pendingProposals === undefined ? [] : objectsIn(profile.pendingProposals, '/pendingProposals');
  const policies =
    profile.accessPolicies === undefined ? [] : objectsIn(profile.accessPolicies, '/accessPolicies');
  const skeleton = withMembers(profile, {
    ...(isJsonObject(profile.memories) && { memories: emptied }),
    ...(profile.pendingProposals !== undefined && { pendingProposals: [] }),
    ...(profile.accessPolicies !== undefined && { accessPolicies: [] }),
  });
  return { skeleton, memories, proposals, policies };
}

export function joinProfile(parts: SplitProfile): JsonObject {
  const { skeleton } = parts;
  let held = objectMember(skeleton, 'memories');
  for (const type of MEMORY_TYPES) {
    const own = parts.memories.filter((memory) => memory.type === type).map(({ document }) => document);
    const key = arrayKeyOf(type);
    if (own.length > 0 || held[key] !== undefined) held = withMembers(held, { [key]: own });
  }
  const lists: Record<string, Json> = {};
  if (Object.keys(held).length > 0 || skeleton.memories !== undefined) lists.memories = held;
  if (parts.proposals.length > 0 || skeleton.pendingProposals !== undefined)
    lists.pendingProposals = [...parts.proposals];
  if (parts.policies.length > 0 || skeleton.accessPolicies !== undefined)
    lists.accessPolicies = [...parts.policies];
  return withMembers(skeleton, lists);
}

const SCHEMA_SOURCES = ['user_manual', 'user_import', 'agent_proposal', 'agent_direct', 'system_derived'];

/** The memory as the published schema requires it, with what an import left out or named otherwise filled in. */
export function schemaMemory(document: JsonObject, at: string): JsonObject {
  const source = objectMember(document, 'source');
  const type = asString(source.type) ?? 'user_import';
  const known = type === 'proposal' ? 'agent_proposal' : SCHEMA_SOURCES.includes(type) ? type : 'user_import';
  return withMembers(document, {
    source: withMembers(source, {
      type: known,
      timestamp: asString(source.timestamp) ?? asString(document.createdAt) ?? at,
    }),
    status: asString(document.status) ?? 'approved',
  });
}

/** A profile's version is that of the protocol, in three parts; anything else, such as `1.0`, becomes 0.1.0. */
export function schemaProfile(profile: JsonObject): JsonObject {
  const version = asString(profile.version) ?? '';
  const did = asString(profile.id) ?? '';
  return withMembers(profile, {
    version: /^\d+\.\d+\.\d+(-[a-zA-Z0-9]+)?$/.test(version) ? version : '0.1.0',
    profileType: asString(profile.profileType) ?? 'human',
    identity: withMembers(objectMember(profile, 'identity'), {
      did: asString(objectMember(profile, 'identity').did) ?? did,
    }),
  });
}

function objectsIn(value: Json, pointer: string): JsonObject[] {
  if (!Array.isArray(value)) throw memoryErrors.A2P006({ message: 'This must be a list.', pointer });
  return value.map((each: Json, at) => {
    if (!isJsonObject(each))
      throw memoryErrors.A2P006({ message: 'This must be an object.', pointer: `${pointer}/${at}` });
    return each;
  });
}

/** A memory of another system, to become a proposal that the person reviews. */
export interface ForeignMemory {
  readonly content: string;
  readonly category?: string;
  readonly context: string;
  readonly timestamp?: string;
  readonly tags?: readonly string[];
}

type Loose = Readonly<Record<string, unknown>>;

/** The list from mem0's `get_all` or export, bare or under `results` or `memories`. */
export function readMem0(value: unknown): ForeignMemory[] {
  const list = Array.isArray(value) ? value : listIn(value);
  if (!list)
    throw memoryErrors.import_refused({
      message: 'This is not a mem0 export: it has no list of memories.',
    });
  return list.flatMap((each): ForeignMemory[] => {
    const entry = (typeof each === 'object' && each !== null ? each : {}) as Loose;
    const said = entry.memory ?? entry.text ?? entry.data;
    if (typeof said !== 'string') return [];
    const created = entry.created_at;
    const { categories } = entry;
    const tags = Array.isArray(categories)
      ? categories
          .filter((each): each is string => typeof each === 'string' && each.length <= 60)
          .slice(0, 20)
      : [];
    return pieces(said).map((content) => ({
      content,
      context: 'Imported from mem0',
      ...(typeof created === 'string' && { timestamp: created }),
      ...(tags.length > 0 && { tags }),
    }));
  });
}

/** Each list entry or paragraph of a Markdown text, with the heading above it as context. */
export function readMarkdown(text: string, name: string): ForeignMemory[] {
  const found: ForeignMemory[] = [];
  let heading = '';
  const withoutFront = text.replace(/^---\n[\s\S]*?\n---\n/, '').replace(/```[\s\S]*?```/g, '');
  for (const block of withoutFront.split(/\n(?=\s*(?:[-*+] |\d+[.)] |#))|\n\s*\n/)) {
    const title = /^\s*#{1,6}\s+(.+?)\s*#*\s*$/m.exec(block);
    if (title) heading = title[1] as string;
    const said = block
      .replace(/^\s*#{1,6}\s+.*$/gm, '')
      .replace(/^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/, '')
      .replace(/\s+/g, ' ');
    const context = `Imported from ${name}${heading === '' ? '' : `, under ${heading}`}`;
    found.push(...pieces(said).map((content) => ({ content, context })));
  }
  return found;
}

function listIn(value: unknown): unknown[] | undefined {
  const { results, memories } = (typeof value === 'object' && value !== null ? value : {}) as Loose;
  if (Array.isArray(results)) return results;
  return Array.isArray(memories) ? memories : undefined;
}

/** A text too long for one memory becomes several, cut between words. */
function pieces(text: string): string[] {
  const whole = sanitizeText(text);
  if (whole === '') return [];
  const parts: string[] = [];
  let rest = whole;
  while (rest.length > CONTENT_LIMIT) {
    const space = rest.lastIndexOf(' ', CONTENT_LIMIT);
    const cut = space > 0 ? space : CONTENT_LIMIT;
    parts.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut).trim();
  }
  return rest === '' ? parts : [...parts, rest];
}
