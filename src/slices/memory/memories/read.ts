import { parseInstant } from '../../../kernel/instant.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import type { Caller } from '../caller.ts';
import { agentGrant, type ReadFilter, readableClasses } from '../consent/grants.ts';
import type { Receipts } from '../consent/receipts.ts';
import { type Grant, mayRead } from '../consent/rules/grant.ts';
import { selectSources } from '../consolidation/store.ts';
import { withMetadata } from '../documents.ts';
import { memoryErrors } from '../errors.ts';
import type { MemoryDeps } from '../ports.ts';
import type { Profile } from '../profiles/store.ts';
import type { Rates } from '../rates.ts';
import { freshness } from './decay.ts';
import { COLLECTION, type Memories, type Memory, memoryIdOf } from './keep.ts';
import { memoryAt } from './memory-at.ts';
import { contentOf, facetsOf } from './rules.ts';
import { selectItems } from './store.ts';

export interface ReadRequest extends ReadFilter {
  /** With a query the best matches, without one everything in the order it came. */
  readonly query?: string | undefined;
  readonly limit: number;
  readonly offset?: number;
  /** RFC 3339: as it stood then. */
  readonly asOf?: string | undefined;
  readonly statuses?: readonly string[] | undefined;
  readonly requestId: string;
  readonly session?: string | undefined;
}

export interface Found {
  readonly memory: Memory;
  readonly document: JsonObject;
  /** After what time has taken from it. */
  readonly confidence: number;
  readonly suggests: 'nothing' | 'review' | 'archive';
  readonly score: number | undefined;
}

export type Reading = ReturnType<typeof createReading>;

/** Recall and lists: the filter of consent goes into the search itself, so that what is hidden is never looked at. */
export function createReading(
  deps: MemoryDeps,
  parts: { memories: Memories; receipts: Receipts; rates: Rates },
) {
  const { db, clock, search } = deps;
  const { memories, receipts, rates } = parts;

  async function find(
    reader: Reader,
    profile: Profile,
    grant: Grant | 'all',
    request: ReadRequest,
    vector: Float32Array | undefined,
  ): Promise<Found[]> {
    const now = clock.now();
    const asOf = instantOf(request.asOf);
    const classes = (await readableClasses(reader, profile.did, grant, request)).map(
      ({ classId }) => classId,
    );
    const { found, scores } = await select(reader, profile, classes, request, vector, asOf);
    const open = grant === 'all' ? found : await openTo(reader, profile, grant, found);
    return open.flatMap((memory) => {
      const { item } = memory;
      const facets = facetsOf(memory.document, item.class.type);
      const document = asOf === undefined ? memory.document : memoryAt(memory.document, facets, asOf);
      if (!document) return [];
      const fresh = freshness(
        { confidence: item.confidence, since: item.since, pinned: item.pinned },
        asOf ?? now,
        profile.settings.decay,
      );
      return [{ memory, document, ...fresh, score: scores.get(item.memoryId) }];
    });
  }

  /**
   * The filter has done its work before. What slips through it is a memory whose class changed meanwhile, and a merge:
   * it repeats its sources, whose categories may be narrower than its own, so that all of them must be open too.
   */
  async function openTo(
    reader: Reader,
    profile: Profile,
    grant: Grant,
    found: readonly Memory[],
  ): Promise<Memory[]> {
    const isOpen = ({ item }: Memory) => mayRead(grant, { ...item.class, status: item.status });
    const merged = found.filter(({ document }) => document.consolidatedFrom !== undefined);
    if (merged.length === 0) return found.filter(isOpen);
    const ids = merged.map(({ item }) => item.memoryId);
    const sources = await selectSources(reader, profile.did, ids);
    const behind = await selectItems(reader, profile.did, {
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

  async function select(
    reader: Reader,
    profile: Profile,
    classes: readonly number[],
    request: ReadRequest,
    vector: Float32Array | undefined,
    asOf: number | undefined,
  ): Promise<{ found: Memory[]; scores: ReadonlyMap<string, number> }> {
    if (classes.length === 0) return { found: [], scores: new Map() };
    const { query, limit, offset = 0 } = request;
    if (query === undefined || asOf !== undefined) {
      const statuses = asOf === undefined ? (request.statuses ?? ['approved']) : ['approved', 'archived'];
      const items = await selectItems(reader, profile.did, {
        classes,
        statuses: statuses as ('approved' | 'archived')[],
        limit,
        offset,
      });
      const found = await memories.withDocuments(reader, profile.did, items);
      const words = query?.toLowerCase().split(/\W+/).filter(Boolean) ?? [];
      const mentions = (memory: Memory) =>
        words.some((word) => contentOf(memory.document).toLowerCase().includes(word));
      return { found: words.length === 0 ? found : found.filter(mentions), scores: new Map() };
    }
    const hits = await search.search(reader, {
      projectId: profile.projectId,
      collections: [COLLECTION],
      query,
      limit: Math.min(200, limit + offset),
      filter: { attributes: { class: classes.map(String) } },
      ...(vector && { vector }),
    });
    const page = hits.slice(offset);
    const scores = new Map(page.map((hit) => [memoryIdOf(hit.id), hit.score]));
    const found = await memories.list(reader, profile, { ids: [...scores.keys()] });
    const order = [...scores.keys()];
    return {
      found: found.sort((a, b) => order.indexOf(a.item.memoryId) - order.indexOf(b.item.memoryId)),
      scores,
    };
  }

  return {
    find,

    /** For the owner a plain read; for an agent under its grant, on record, and counted. */
    async read(profile: Profile, caller: Caller, request: ReadRequest): Promise<Found[]> {
      const vector = request.query === undefined ? undefined : await search.embedQuery(request.query);
      if (caller.role === 'owner') return db.read((reader) => find(reader, profile, 'all', request, vector));
      return db.write((uow) => readAsAgent(uow, profile, caller, request, vector));
    },
  };

  async function readAsAgent(
    uow: UnitOfWork,
    profile: Profile,
    caller: Caller,
    request: ReadRequest,
    vector: Float32Array | undefined,
  ): Promise<Found[]> {
    const agent = await agentGrant(uow, profile.did, caller.did, clock.now());
    const { grant } = agent;
    const reads = ['read_public', 'read_scoped', 'read_full'] as const;
    if (!reads.some((permission) => grant.permissions.has(permission))) throw memoryErrors.A2P004();
    // What was archived or corrected since is the person's own past: consent is for what stands now.
    if (request.asOf !== undefined) throw memoryErrors.A2P002();
    await rates.takeOfPolicy(uow, profile.did, caller.did, grant);
    const found = await find(uow, profile, grant, { ...request, statuses: ['approved'] }, vector);
    await receipts.recordRead(
      uow,
      profile,
      caller,
      agent,
      found.map(({ memory }) => memory),
      {
        requestId: request.requestId,
        scopes: request.scopes ?? request.categories ?? [],
        session: request.session,
      },
    );
    // What a memory said before its person corrected it is theirs alone.
    return found.map((each) => ({
      ...each,
      document: withMetadata(each.document, { editHistory: undefined }),
    }));
  }
}

function instantOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const instant = parseInstant(text);
  if (!instant) throw memoryErrors.A2P006({ message: 'This is no RFC 3339 instant.', pointer: '/as_of' });
  return instant.micros;
}
