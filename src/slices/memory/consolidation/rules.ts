import { asString, asStrings } from '../../../kernel/json/loose.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { termsIn } from '../../../spine/search/rules/tokenize.ts';
import { type MemoryType, parseCategory, type Sensitivity, strictest, withoutType } from '../categories.ts';
import { comparableText } from '../content.ts';
import { objectMember, withMembers, withMetadata } from '../documents.ts';
import { memoryErrors } from '../errors.ts';
import { contentOf, facetsOf } from '../memories/rules.ts';

export interface MergeSource {
  readonly id: string;
  readonly type: MemoryType;
  readonly document: JsonObject;
}

export interface MergeRequest {
  readonly id: string;
  readonly sources: readonly MergeSource[];
  /** The approver's own text; drafted by default. */
  readonly content?: string | undefined;
  /** The effective one of the strictest source; the documents alone do not know the floors of their categories. */
  readonly sensitivity?: Sensitivity;
  readonly at: string;
}

export interface MergeResult {
  readonly type: MemoryType;
  readonly document: JsonObject;
  readonly archived: readonly MergeSource[];
}

/** One memory out of several. Merging never widens access: sensitivity and sharing are those of the strictest source. */
export function mergeMemories({
  id,
  sources,
  content,
  sensitivity = 'public',
  at,
}: MergeRequest): MergeResult {
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
    sensitivity: strictest([sensitivity, ...facets.map((each) => each.sensitivity)]),
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

/** The exact inverse of archiving a source. */
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
  const bare = withoutType(asString(document.category) ?? 'a2p:episodic');
  return bare === undefined ? undefined : parseCategory(bare)?.top;
}

function categoryMember(categories: readonly (string | undefined)[]): JsonObject {
  const given = categories.filter((each) => each !== undefined);
  if (given.length === 0) return {};
  const whole = given.length === categories.length && given.length === 1;
  return { category: whole ? (given[0] as string) : (given[0]?.split('.')[0] as string) };
}

/** An empty scope is no limit; where limits contradict each other, only the owner sees the merge. */
function sharedScope(scopes: readonly (readonly string[])[]): string[] {
  const limited = scopes.filter((scope) => scope.length > 0);
  if (limited.length === 0) return [];
  const [first = [], ...rest] = limited;
  const both = first.filter((context) => rest.every((scope) => scope.includes(context)));
  return both.length > 0 ? both : ['none'];
}

/** Every agent that contributed to the merge, also through earlier merges. */
function agentsBehind(sources: readonly MergeSource[]): JsonObject {
  const agents = sources.flatMap(({ document }) => {
    const source = objectMember(document, 'source');
    const agent = asString(source.agentDid);
    return [...(agent === undefined ? [] : [agent]), ...asStrings(source.derivedFromAgents)];
  });
  const distinct = [...new Set(agents)];
  return distinct.length === 0 ? {} : { derivedFromAgents: distinct };
}

export function isExactDuplicate(a: JsonObject, b: JsonObject): boolean {
  return comparableText(contentOf(a)) === comparableText(contentOf(b));
}

const SUBJECT = /^(?:(?:the )?(?:user|person) )?/i;
const LIKING =
  /^(likes?|loves?|enjoys?|prefers?|favou?rs?|is interested in|is a fan of|is fond of|listens to)\s+(.+?)[.!]?$/i;

/**
 * A draft text for a merge, always the same for the same sources: what they share, then what differs. Whoever approves
 * the merge may change it.
 */
export function draftMerge(contents: readonly string[]): string {
  const distinct = withoutDuplicates(contents.map((content) => content.trim()));
  if (distinct.length === 1) return distinct[0] as string;
  return (
    likings(distinct) ?? sharedStart(distinct) ?? distinct.map((text) => text.replace(/[.;]$/, '')).join('; ')
  );
}

function likings(contents: readonly string[]): string | undefined {
  const objects = contents.map((content) => LIKING.exec(content.replace(SUBJECT, ''))?.[2]);
  if (!objects.every((object) => object !== undefined)) return undefined;
  const words = objects.map((object) => object.split(/\s+/));
  const noun = words[0]?.at(-1) ?? '';
  const shared = words.every((each) => each.length > 1 && each.at(-1)?.toLowerCase() === noun.toLowerCase());
  if (!shared) return `Likes: ${withoutDuplicates(objects).join(', ')}`;
  const items = withoutDuplicates(words.map((each) => each.slice(0, -1).join(' ')));
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)} preferences: ${items.join(', ')}`;
}

function sharedStart(contents: readonly string[]): string | undefined {
  const words = contents.map((content) => content.replace(/[.!]$/, '').split(/\s+/));
  let length = 0;
  while (words.every((each) => length < each.length - 1 && each[length] === words[0]?.[length])) length += 1;
  if (length < 2) return undefined;
  const rests = withoutDuplicates(words.map((each) => each.slice(length).join(' ')));
  return `${(words[0] as string[]).slice(0, length).join(' ')}: ${rests.join(', ')}`;
}

function withoutDuplicates(texts: readonly string[]): string[] {
  const seen = new Set<string>();
  return texts.filter((text) => {
    const key = comparableText(text);
    return !seen.has(key) && seen.add(key);
  });
}

/** The share of stems that two texts have in common, 0 to 1: good for ranking; no value means "the same". */
export function wordSimilarity(a: string, b: string): number {
  const left = new Set(termsIn(a));
  const right = new Set(termsIn(b));
  if (left.size === 0 || right.size === 0) return 0;
  let common = 0;
  for (const term of left) if (right.has(term)) common += 1;
  return common / (left.size + right.size - common);
}

const OPPOSED: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\b(?:likes?|loves?|enjoys?|prefers?)\b/i,
    /\b(?:dislikes?|hates?|avoids?|does not like|doesn't like|no longer)\b/i,
  ],
  [/\balways\b/i, /\b(?:never|no longer)\b/i],
  [
    /\b(?:is|are|works|lives|has|uses)\b(?! not)/i,
    /\b(?:is not|isn't|are not|aren't|no longer|stopped|used to)\b/i,
  ],
];

/** A hint for the reviewer that the two may not both be true; nothing depends on it. */
export function mayContradict(a: string, b: string): boolean {
  if (wordSimilarity(a, b) < 0.2) return false;
  return OPPOSED.some(([one, other]) => {
    const first = one.test(a) && !other.test(a) && other.test(b);
    return first || (one.test(b) && !other.test(b) && other.test(a));
  });
}

export interface PromotionSettings {
  readonly mode?: 'off' | 'suggest' | 'auto';
  /** Whether all three signs are needed, or one is enough. */
  readonly match?: 'all' | 'any';
}

export interface Episode {
  readonly id: string;
  readonly type: MemoryType;
  readonly status: string;
  readonly sensitivity: Sensitivity;
  readonly confidence: number;
  readonly useCount: number;
  /** `YYYY-MM-DD` of when it was learned. */
  readonly day: string;
  readonly session: string | undefined;
  /** It was promoted once, and its person moved it back. */
  readonly movedBack?: boolean;
}

export interface PromotionVerdict {
  readonly action: 'none' | 'suggest' | 'auto';
  readonly signs: { readonly confidence: boolean; readonly uses: boolean; readonly episodes: boolean };
}

export const PROMOTION_CONFIDENCE = 0.9;
export const PROMOTION_USES = 10;
const EPISODES = 3;

/** Whether an approved episode, with the ones similar to it, has become general knowledge. */
export function judgePromotion(
  episode: Episode,
  similar: readonly Episode[],
  settings: PromotionSettings = {},
): PromotionVerdict {
  const kin = [episode, ...similar.filter(({ id }) => id !== episode.id)].filter(
    ({ type, status }) => type === 'episodic' && status === 'approved',
  );
  const signs = {
    confidence: episode.confidence > PROMOTION_CONFIDENCE,
    uses: episode.useCount > PROMOTION_USES,
    episodes: separateOccasions(kin) >= EPISODES,
  };
  const mode = settings.mode ?? 'suggest';
  const given = Object.values(signs);
  const enough = settings.match === 'any' ? given.some(Boolean) : given.every(Boolean);
  const stands = episode.type === 'episodic' && episode.status === 'approved' && episode.movedBack !== true;
  if (mode === 'off' || !enough || !stands) return { action: 'none', signs };
  const open = episode.sensitivity === 'public' || episode.sensitivity === 'standard';
  return { action: mode === 'auto' && open ? 'auto' : 'suggest', signs };
}

/** Episodes of one session on one day are one occasion. */
function separateOccasions(episodes: readonly Episode[]): number {
  return new Set(episodes.map(({ session, day }) => `${day} ${session ?? ''}`)).size;
}
