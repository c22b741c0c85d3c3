/** Recall and lists. Consent is a filter of the search itself, so that hidden memories are never even loaded. */
import { parseInstant } from '../../../kernel/instant.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import type { SearchHit } from '../../../spine/search/request.ts';
import { rankTexts } from '../../../spine/search/rules/rank-texts.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import type { SensitivityRules } from '../categories.ts';
import { agentGrant } from '../consent/grants.ts';
import { logRead } from '../consent/receipts.ts';
import { type Grant, mayRead } from '../consent/rules/grant.ts';
import { selectSources } from '../consolidation/store.ts';
import { withMetadata } from '../documents.ts';
import { invalid, memoryErrors } from '../errors.ts';
import type { MemoryDeps } from '../ports.ts';
import type { Caller } from '../profile-access.ts';
import type { Profile } from '../profiles/store.ts';
import { takeOfPolicy } from '../rate-limits.ts';
import { sensitivityRules } from '../registry/categories.ts';
import { covers, parseScope } from '../scope-pattern.ts';
import { listMemories, type Memory, memoryIdOf } from './keep.ts';
import { contentOf, facetsOf, freshness, memoryAt } from './rules.ts';
import { COLLECTION } from './search-document.ts';
import { type MemoryClass, selectClasses, selectItems } from './store.ts';

interface ReadFilter {
  readonly types?: readonly string[] | undefined;
  /** Category scopes such as `a2p:preferences.*`; a bare category includes everything below it. */
  readonly categories?: readonly string[] | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** A sharing context such as `work`. */
  readonly context?: string | undefined;
}

export interface ReadRequest extends ReadFilter {
  /** With a query the best matches, without one everything in the order it came. */
  readonly query?: string | undefined;
  readonly limit: number;
  readonly offset?: number;
  /** RFC 3339: the memories as they were at that time. */
  readonly asOf?: string | undefined;
  readonly statuses?: readonly ('approved' | 'archived')[] | undefined;
  readonly requestId: string;
  readonly session?: string | undefined;
  /** Which of what was found is delivered; only that is recorded as read. */
  readonly choose?: ((found: readonly FoundMemory[]) => readonly FoundMemory[]) | undefined;
}

/** How many memories a question about the past looks through. */
const MOST_OF_THE_PAST = 5_000;

export interface FoundMemory {
  readonly memory: Memory;
  readonly document: JsonObject;
  /** After decay. */
  readonly confidence: number;
  readonly suggests: 'nothing' | 'review' | 'archive';
  readonly score: number | undefined;
  /** How a query found it. */
  readonly hit: SearchHit | undefined;
}

/** For the owner a plain read; for an agent limited to its grant, recorded, and counted. Opens its own unit. */
export async function readMemories(
  deps: MemoryDeps,
  profile: Profile,
  caller: Caller,
  request: ReadRequest,
): Promise<FoundMemory[]> {
  const { db, search } = deps;
  const vector = request.query === undefined ? undefined : await search.embedQuery(request.query);
  if (caller.role === 'owner')
    return db.read(async (reader) => {
      const found = await findMemories(reader, deps, profile, 'all', request, vector);
      return [...(request.choose?.(found) ?? found)];
    });
  return db.write((uow) => readAsAgent(uow, deps, profile, caller, request, vector));
}

async function readAsAgent(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  caller: Caller,
  request: ReadRequest,
  vector: Float32Array | undefined,
): Promise<FoundMemory[]> {
  const agent = await agentGrant(uow, profile.did, caller.did, deps.clock.now());
  const { grant } = agent;
  const reads = ['read_public', 'read_scoped', 'read_full'] as const;
  if (!reads.some((permission) => grant.permissions.has(permission))) throw memoryErrors.A2P004();
  // What was archived or corrected since is the person's own past: consent covers only the present.
  if (request.asOf !== undefined) throw memoryErrors.A2P002();
  await takeOfPolicy(uow, deps, profile.did, caller.did, grant);
  const approved = { ...request, statuses: ['approved'] as const };
  const open = await findMemories(uow, deps, profile, grant, approved, vector);
  const found = request.choose?.(open) ?? open;
  const delivered = found.map(({ memory }) => memory);
  const scopes = request.scopes ?? request.categories ?? [];
  const { requestId, session } = request;
  await logRead(uow, deps, profile, caller, agent, delivered, { requestId, scopes, session });
  // What a memory said before its person corrected it is theirs alone.
  return found.map((each) => ({
    ...each,
    document: withMetadata(each.document, { editHistory: undefined }),
  }));
}

/** What this grant opens, not recorded as an access: for the owner, or inside a unit that records it. */
export async function findMemories(
  reader: Reader,
  deps: MemoryDeps,
  profile: Profile,
  grant: Grant | 'all',
  request: ReadRequest,
  vector?: Float32Array,
): Promise<FoundMemory[]> {
  const now = deps.clock.now();
  const asOf = instantOf(request.asOf);
  if (asOf !== undefined && request.query !== undefined) {
    const { query, limit, offset = 0, ...filter } = request;
    const whole = { ...filter, limit: MOST_OF_THE_PAST };
    return bestOf(await findMemories(reader, deps, profile, grant, whole), query, asOf, offset, limit);
  }
  const rules = await sensitivityRules(reader, profile);
  const classes = await readableClasses(reader, profile.did, rules, grant, request);
  const { found, hits } = await select(reader, deps, profile, classes, { ...request, vector, asOf });
  const open = grant === 'all' ? found : await openTo(reader, profile, rules, grant, found);
  return open.flatMap((memory) => {
    const { item } = memory;
    const facets = facetsOf(memory.document, item.class.type);
    const document = asOf === undefined ? memory.document : memoryAt(memory.document, facets, asOf);
    if (!document) return [];
    const fresh = freshness(item, asOf ?? now, profile.settings.decay);
    const hit = hits.get(item.memoryId);
    return [{ memory, document, ...fresh, score: hit?.score, hit }];
  });
}

/** The index knows the present only; the past is ranked by the same rules, by what the memories said then. */
function bestOf(
  found: readonly FoundMemory[],
  query: string,
  asOf: number,
  offset: number,
  limit: number,
): FoundMemory[] {
  const texts = found.map(({ memory, document }) => ({
    text: contentOf(document),
    time: memory.item.learned,
  }));
  return rankTexts(texts, query, asOf)
    .slice(offset, offset + limit)
    .map(({ at, score }) => ({ ...(found[at] as FoundMemory), score }));
}

async function readableClasses(
  reader: Reader,
  profileDid: string,
  rules: SensitivityRules,
  grant: Grant | 'all',
  filter: ReadFilter,
): Promise<number[]> {
  const classes = await selectClasses(reader, profileDid, rules);
  return classes
    .filter(
      (each) => (grant === 'all' || mayRead(grant, { ...each, status: 'approved' })) && fits(each, filter),
    )
    .map(({ classId }) => classId);
}

function fits(each: MemoryClass, { types, categories, scopes, context }: ReadFilter): boolean {
  if (types && !types.includes(each.type)) return false;
  const shared = each.scope.length === 0 || each.scope.includes('general');
  if (context !== undefined && !shared && !each.scope.includes(context)) return false;
  const isIn = (name: string) =>
    each.category === name || each.category?.startsWith(`${name}.`) || reaches(name, each);
  if (categories && !categories.some(isIn)) return false;
  return scopes === undefined || scopes.some((scope) => reaches(scope, each));
}

function reaches(scope: string, each: MemoryClass): boolean {
  const pattern = parseScope(scope);
  return pattern !== undefined && covers(pattern, each);
}

async function select(
  reader: Reader,
  deps: MemoryDeps,
  profile: Profile,
  classes: readonly number[],
  request: Omit<ReadRequest, 'asOf'> & { vector: Float32Array | undefined; asOf: number | undefined },
): Promise<{ found: Memory[]; hits: ReadonlyMap<string, SearchHit> }> {
  if (classes.length === 0) return { found: [], hits: new Map() };
  const { query, limit, offset = 0, vector, asOf } = request;
  if (query === undefined) {
    const statuses =
      asOf === undefined ? (request.statuses ?? ['approved' as const]) : (['approved', 'archived'] as const);
    const found = await listMemories(reader, deps, profile, { classes, statuses, limit, offset });
    return { found, hits: new Map() };
  }
  const ranked = await deps.search.search(reader, {
    projectId: profile.projectId,
    collections: [COLLECTION],
    query,
    limit: Math.min(200, limit + offset),
    filter: { attributes: { class: classes.map(String) } },
    ...(vector && { vector }),
  });
  const hits = new Map(ranked.slice(offset).map((hit) => [memoryIdOf(hit.id), hit]));
  const order = [...hits.keys()];
  const found = await listMemories(reader, deps, profile, { ids: order });
  found.sort((a, b) => order.indexOf(a.item.memoryId) - order.indexOf(b.item.memoryId));
  return { found, hits };
}

/**
 * The filter has done its work already. What can slip through it is a memory whose class changed meanwhile, and a merge:
 * it repeats its sources, whose categories may be narrower than its own, so all of them must be open too.
 */
async function openTo(
  reader: Reader,
  profile: Profile,
  rules: SensitivityRules,
  grant: Grant,
  found: readonly Memory[],
): Promise<Memory[]> {
  const isOpen = ({ item }: Memory) => mayRead(grant, { ...item.class, status: item.status });
  const merged = found.filter(({ document }) => document.consolidatedFrom !== undefined);
  if (merged.length === 0) return found.filter(isOpen);
  const ids = merged.map(({ item }) => item.memoryId);
  const sources = await selectSources(reader, profile.did, ids);
  const behind = await selectItems(reader, profile.did, rules, {
    ids: [...new Set([...sources.values()].flatMap((each) => [...each]))],
  });
  const closed = new Set(
    behind
      .filter((item) => !mayRead(grant, { ...item.class, status: 'approved' }))
      .map((item) => item.memoryId),
  );
  return found.filter(
    (memory) =>
      isOpen(memory) && ![...(sources.get(memory.item.memoryId) ?? [])].some((id) => closed.has(id)),
  );
}

function instantOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const instant = parseInstant(text);
  if (!instant) throw invalid('/as_of', 'This is not an RFC 3339 timestamp.');
  return instant.micros;
}
