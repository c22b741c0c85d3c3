import { isJsonObject, type Json, type JsonObject } from '../../../kernel/json/value.ts';
import { objectMember, textMember, withMembers } from '../documents.ts';
import { memoryErrors } from '../errors.ts';
import { arrayKeyOf, MEMORY_TYPES, type MemoryType } from '../memory-type.ts';

export interface ImportedMemory {
  readonly type: MemoryType;
  readonly document: JsonObject;
}

export interface TakenApart {
  /** The profile as it was written, with empty lists in the places of what is kept elsewhere. */
  readonly skeleton: JsonObject;
  readonly memories: readonly ImportedMemory[];
  readonly proposals: readonly JsonObject[];
  readonly policies: readonly JsonObject[];
}

/** Nothing is lost on the way: what is not understood stays where it stood. */
export function takeApart(profile: JsonObject): TakenApart {
  const memories: ImportedMemory[] = [];
  const held = objectMember(profile, 'memories');
  let emptied = held;
  for (const type of MEMORY_TYPES) {
    const key = arrayKeyOf(type);
    if (held[key] === undefined) continue;
    for (const document of objectsIn(held[key], `/memories/${key}`)) {
      if (typeof document.content !== 'string') {
        throw memoryErrors.A2P006({
          message: 'A memory has a content, which is text.',
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

export function putTogether(parts: TakenApart): JsonObject {
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

/** The memory as the published schema wants it: what an import left out or named otherwise is filled in. */
export function schemaMemory(document: JsonObject, at: string): JsonObject {
  const source = objectMember(document, 'source');
  const type = textMember(source, 'type') ?? 'user_import';
  const known = type === 'proposal' ? 'agent_proposal' : SCHEMA_SOURCES.includes(type) ? type : 'user_import';
  return withMembers(document, {
    source: withMembers(source, {
      type: known,
      timestamp: textMember(source, 'timestamp') ?? textMember(document, 'createdAt') ?? at,
    }),
    status: textMember(document, 'status') ?? 'approved',
  });
}

/** The document's version is the protocol's; a profile that says `1.0` means it. */
export function schemaProfile(profile: JsonObject): JsonObject {
  const version = textMember(profile, 'version') ?? '';
  const did = textMember(profile, 'id') ?? '';
  return withMembers(profile, {
    version: /^\d+\.\d+\.\d+(-[a-zA-Z0-9]+)?$/.test(version) ? version : '0.1.0',
    profileType: textMember(profile, 'profileType') ?? 'human',
    identity: withMembers(objectMember(profile, 'identity'), {
      did: textMember(objectMember(profile, 'identity'), 'did') ?? did,
    }),
  });
}

function objectsIn(value: Json, pointer: string): JsonObject[] {
  if (!Array.isArray(value)) throw memoryErrors.A2P006({ message: 'This is a list.', pointer });
  return value.map((each: Json, at) => {
    if (!isJsonObject(each))
      throw memoryErrors.A2P006({ message: 'This is an object.', pointer: `${pointer}/${at}` });
    return each;
  });
}
