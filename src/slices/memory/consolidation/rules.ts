import type { JsonObject } from '../../../kernel/json/value.ts';
import { parseCategory, withoutType } from '../categories.ts';
import { objectMember, textMember, textsMember, withMembers, withMetadata } from '../documents.ts';
import { memoryErrors } from '../errors.ts';
import { contentOf, facetsOf } from '../memories/rules.ts';
import { comparableText } from '../memory-text.ts';
import type { MemoryType } from '../memory-type.ts';
import { strictest } from '../sensitivity.ts';
import { draftMerge } from './draft-merge.ts';

export interface MergeSource {
  readonly id: string;
  readonly type: MemoryType;
  readonly document: JsonObject;
}

export interface MergeRequest {
  readonly id: string;
  readonly sources: readonly MergeSource[];
  /** The approver's own text; drafted unless given. */
  readonly content?: string | undefined;
  readonly at: string;
}

export interface Merged {
  readonly type: MemoryType;
  readonly document: JsonObject;
  readonly archived: readonly MergeSource[];
}

/** One memory out of several. Trust never grows by it: confidence, sensitivity and sharing are those of the strictest. */
export function mergeMemories({ id, sources, content, at }: MergeRequest): Merged {
  const type = requireMergeable(sources);
  const facets = sources.map(({ document }) => facetsOf(document, type));
  const categories = [...new Set(facets.map(({ category }) => category))];
  const scope = sharedScope(facets.map(({ scope }) => scope));
  const confidence = Math.max(...facets.map((each) => each.confidence));
  const document: JsonObject = {
    id,
    content: content ?? draftMerge(sources.map((source) => contentOf(source.document))),
    ...categoryMember(categories),
    source: { type: 'system_derived', timestamp: at, ...agentsBehind(sources) },
    confidence,
    status: 'approved',
    sensitivity: strictest(facets.map(({ sensitivity }) => sensitivity)),
    ...(scope.length > 0 && { scope }),
    metadata: {
      approvedAt: at,
      useCount: 0,
      initialConfidence: confidence,
      mergedFrom: sources.map((source) => source.id),
    },
    consolidatedFrom: sources.map((source) => source.id),
  };
  return { type, document, archived: sources.map((source) => archive(source, id, at)) };
}

/** The exact inverse for a source: what archiving wrote is taken out, what stood there before stands there again. */
export function restoreSource(source: MergeSource): MergeSource {
  const kept = objectMember(objectMember(source.document, 'metadata'), 'beforeMerge');
  const metadata = kept.metadata;
  const document = withMembers(source.document, { status: kept.status, metadata });
  return { ...source, document };
}

function archive(source: MergeSource, mergedInto: string, at: string): MergeSource {
  const { status, metadata } = source.document;
  const before = { ...(status !== undefined && { status }), ...(metadata !== undefined && { metadata }) };
  const document = withMetadata(withMembers(source.document, { status: 'archived' }), {
    archivedAt: at,
    supersededBy: mergedInto,
    beforeMerge: before,
  });
  return { ...source, document };
}

function requireMergeable(sources: readonly MergeSource[]): MemoryType {
  const [first] = sources;
  if (!first || new Set(sources.map(({ id }) => id)).size < 2) throw memoryErrors.merge_refused();
  const alike = sources.every(
    ({ type, document }) => type === first.type && topOf(document) === topOf(first.document),
  );
  const live = sources.every(({ type, document }) => facetsOf(document, type).status === 'approved');
  if (!alike || !live) throw memoryErrors.merge_refused({ details: { alike, approved: live } });
  return first.type;
}

function topOf(document: JsonObject): string | undefined {
  const bare = withoutType(textMember(document, 'category') ?? 'a2p:episodic');
  return bare === undefined ? undefined : parseCategory(bare)?.top;
}

function categoryMember(categories: readonly (string | undefined)[]): JsonObject {
  const given = categories.filter((each) => each !== undefined);
  if (given.length === 0) return {};
  const whole = given.length === categories.length && given.length === 1;
  return { category: whole ? (given[0] as string) : (given[0]?.split('.')[0] as string) };
}

/** An empty scope is no limit; where limits contradict each other, nobody but the owner sees the merge. */
function sharedScope(scopes: readonly (readonly string[])[]): string[] {
  const limited = scopes.filter((scope) => scope.length > 0);
  if (limited.length === 0) return [];
  const [first = [], ...rest] = limited;
  const both = first.filter((context) => rest.every((scope) => scope.includes(context)));
  return both.length > 0 ? both : ['none'];
}

/** Every agent whose word stands somewhere behind the merge, merges of merges included. */
function agentsBehind(sources: readonly MergeSource[]): JsonObject {
  const agents = sources.flatMap(({ document }) => {
    const source = objectMember(document, 'source');
    const agent = textMember(source, 'agentDid');
    return [...(agent === undefined ? [] : [agent]), ...textsMember(source, 'derivedFromAgents')];
  });
  const distinct = [...new Set(agents)];
  return distinct.length === 0 ? {} : { derivedFromAgents: distinct };
}

export function isExactDuplicate(a: JsonObject, b: JsonObject): boolean {
  return comparableText(contentOf(a)) === comparableText(contentOf(b));
}
