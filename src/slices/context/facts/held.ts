import type { Micros } from '../../../kernel/clock.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { asRecord, asString } from '../../../kernel/json/loose.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { type FactKey, keyHash, selectHeld, selectLastEnded } from './store.ts';
import type { StoredFact } from './stored-fact.ts';

export interface HeldFact {
  readonly subject: string;
  readonly predicate: string;
  readonly factId: string;
  /** `sha256:…` of the fact as it was written. */
  readonly digest: string;
  readonly by: Author;
  readonly value: string;
}

interface Author {
  readonly id: string;
  readonly type: string;
}

/**
 * The fact that a key holds at an instant, with those whose word it is. For rules that rest on facts: where an agent has ended
 * what held, nobody's word is that there is nothing.
 */
export async function heldFact(
  reader: Reader,
  hasher: Hasher,
  key: FactKey,
  at: Micros,
): Promise<HeldFact | undefined> {
  const { projectId } = key;
  const hash = keyHash(hasher, key);
  const fact = await selectHeld(reader, projectId, hash, at);
  if (fact) return known(hasher, fact, wordOf(asRecord(JSON.parse(fact.wire))));
  const ended = await selectLastEnded(reader, projectId, hash, at);
  if (ended?.invalidatedBy == null) return undefined;
  const by = actorIn(JSON.parse(ended.invalidatedBy));
  return by.type === 'human' ? undefined : known(hasher, ended, NOBODY);
}

function known(hasher: Hasher, fact: StoredFact, by: Author): HeldFact {
  return {
    subject: fact.subject,
    predicate: fact.predicate,
    factId: fact.factId,
    digest: `sha256:${hasher.hex(fact.wire)}`,
    by,
    value: fact.value,
  };
}

/**
 * Whose word a fact is. `asserted_by` is also whoever wrote the package that the fact names, and may be a name that somebody
 * else's credential spoke for: nobody becomes a person by that.
 */
function wordOf(wire: Readonly<Record<string, unknown>>): Author {
  const author = actorIn(wire.asserted_by);
  const spoken = wire['x-spoken-by'];
  if (spoken != null)
    return { id: author.id, type: author.type === 'human' ? actorIn(spoken).type : author.type };
  const stated = wire['x-stated-by'];
  if (stated != null) return actorIn(stated);
  // From before it was written down who states what a package says.
  return wire.source_package_id == null ? author : NOBODY;
}

const NOBODY: Author = { id: '', type: '' };

function actorIn(value: unknown): Author {
  const { id, type } = asRecord(value);
  return { id: asString(id) ?? '', type: asString(type) ?? '' };
}
