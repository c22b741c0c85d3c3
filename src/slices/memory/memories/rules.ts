import type { Micros } from '../../../kernel/clock.ts';
import { parseInstant } from '../../../kernel/instant.ts';
import { asNumber, asString, asStrings } from '../../../kernel/json/loose.ts';
import { isJsonObject, type JsonObject } from '../../../kernel/json/value.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import {
  defaultSensitivity,
  isBelowCategory,
  isSensitivity,
  type MemoryType,
  type Sensitivity,
  type SensitivityRules,
} from '../categories.ts';
import { objectMember, withMembers, withMetadata } from '../documents.ts';

const MEMORY_STATUSES = ['pending', 'approved', 'rejected', 'archived', 'expired'] as const;
export type MemoryStatus = (typeof MEMORY_STATUSES)[number];

/** What the store keeps beside a memory's document to find, filter and count by. */
export interface MemoryFacets {
  readonly type: MemoryType;
  readonly category: string | undefined;
  /** As written, or the category's; what counts is `effectiveSensitivity`. */
  readonly sensitivity: Sensitivity;
  /** Whether its person has put it below its category. */
  readonly lowered: boolean;
  readonly scope: readonly string[];
  readonly status: MemoryStatus;
  readonly confidence: number;
  readonly agentDid: string | undefined;
  readonly sessionId: string | undefined;
  /** When it was learned. */
  readonly learned: Micros | undefined;
  readonly approved: Micros | undefined;
  readonly confirmed: Micros | undefined;
  readonly archived: Micros | undefined;
  readonly useCount: number;
  readonly lastUsed: string | undefined;
  readonly supersededBy: string | undefined;
}

/** Defaults are filled in here, never in the document. An unknown status does not count as approved. */
export function facetsOf(document: JsonObject, type: MemoryType, rules: SensitivityRules = {}): MemoryFacets {
  const source = objectMember(document, 'source');
  const metadata = objectMember(document, 'metadata');
  const at = (object: JsonObject, name: string) => parseInstant(asString(object[name]) ?? '')?.micros;
  const status = document.status === undefined ? 'approved' : asString(document.status);
  const sensitivity = document.sensitivity;
  const category = asString(document.category);
  const confidence = asNumber(document.confidence) ?? 0.8;
  return {
    type,
    category,
    sensitivity: isSensitivity(sensitivity)
      ? sensitivity
      : sensitivity === undefined
        ? defaultSensitivity(category, rules)
        : 'restricted',
    lowered: isJsonObject(metadata.sensitivityLowered),
    scope: asStrings(document.scope),
    status: MEMORY_STATUSES.includes(status as MemoryStatus) ? (status as MemoryStatus) : 'pending',
    confidence: Math.min(1, Math.max(0, confidence)),
    agentDid: asString(source.agentDid),
    sessionId: asString(source.sessionId),
    learned: at(source, 'timestamp') ?? at(document, 'createdAt'),
    approved: at(metadata, 'approvedAt'),
    confirmed: at(metadata, 'lastConfirmed'),
    archived: at(metadata, 'archivedAt'),
    useCount: Math.max(0, Math.floor(asNumber(metadata.useCount) ?? 0)),
    lastUsed: asString(metadata.lastUsed),
    supersededBy: asString(metadata.supersededBy),
  };
}

/**
 * The document with a record of who put it below its category, or without one where it is not below. For what a person
 * has just decided: an agent's words never pass through here.
 */
export function loweredBy(
  { id: by }: Pick<Actor, 'id'>,
  at: string,
  document: JsonObject,
  rules: SensitivityRules,
): JsonObject {
  const level = document.sensitivity;
  const category = asString(document.category);
  const below = isSensitivity(level) && isBelowCategory(level, category, rules);
  const from = defaultSensitivity(category, rules);
  return withMetadata(document, { sensitivityLowered: below ? { from, by, at } : undefined });
}

export function contentOf(document: JsonObject): string {
  return asString(document.content) ?? '';
}

/**
 * The memory as it was at an instant, with the content it had then; undefined before it was approved and after it was
 * archived or superseded.
 */
export function memoryAt(document: JsonObject, facets: MemoryFacets, at: Micros): JsonObject | undefined {
  const began = facets.approved ?? facets.learned ?? Number.NEGATIVE_INFINITY;
  if (began > at) return undefined;
  if (facets.status !== 'approved' && !(facets.status === 'archived' && (facets.archived ?? at) > at)) {
    return undefined;
  }
  const history = objectMember(document, 'metadata').editHistory;
  const edits = Array.isArray(history) ? history.filter(isJsonObject) : [];
  const later = edits.find((edit) => (parseInstant(asString(edit.editedAt) ?? '')?.micros ?? at) > at);
  const then = withMembers(document, { status: 'approved' });
  if (!later) return withMetadata(then, { archivedAt: undefined, supersededBy: undefined });
  return withMetadata(withMembers(then, { content: asString(later.previousContent) ?? '' }), {
    archivedAt: undefined,
    supersededBy: undefined,
    editHistory: edits.slice(0, edits.indexOf(later)),
  });
}

export interface DecaySettings {
  readonly enabled?: boolean;
  readonly halfLifeDays?: number;
  readonly reviewThreshold?: number;
  readonly archiveThreshold?: number;
}

export interface DecayInput {
  /** At its last confirmation. */
  readonly confidence: number;
  /** When it was approved or last confirmed, whichever is later. */
  readonly since: Micros;
  readonly pinned: boolean;
}

export interface Freshness {
  readonly confidence: number;
  /** `review` and `archive` are suggestions: reading changes nothing. */
  readonly suggests: 'nothing' | 'review' | 'archive';
}

const DAY_MICROS = 86_400_000_000;
/** Within 0.025 of the published table: 0.95 falls to 0.85, 0.70, 0.50 and 0.30 after 30, 90, 180 and 365 days. */
const HALF_LIFE_DAYS = 205;

export function freshness(memory: DecayInput, now: Micros, settings: DecaySettings = {}): Freshness {
  if (memory.pinned || settings.enabled === false)
    return { confidence: memory.confidence, suggests: 'nothing' };
  const days = Math.max(0, now - memory.since) / DAY_MICROS;
  const confidence = memory.confidence * 0.5 ** (days / (settings.halfLifeDays ?? HALF_LIFE_DAYS));
  return { confidence, suggests: suggestion(confidence, settings) };
}

function suggestion(confidence: number, settings: DecaySettings): Freshness['suggests'] {
  if (confidence <= (settings.archiveThreshold ?? 0.3)) return 'archive';
  return confidence <= (settings.reviewThreshold ?? 0.5) ? 'review' : 'nothing';
}

/** How many reads of one memory by one agent count in a day, over all its sessions. */
const USES_PER_AGENT_AND_DAY = 3;

export interface UseSoFar {
  /** Whether this memory was delivered in this session before. */
  readonly countedInSession: boolean;
  /** By this agent on this day. */
  readonly countedToday: number;
}

/** Only deliveries to agents count, once per session: otherwise an agent in a loop could promote a memory. */
export function countsAsUse(reader: 'agent' | 'owner', soFar: UseSoFar): boolean {
  return reader === 'agent' && !soFar.countedInSession && soFar.countedToday < USES_PER_AGENT_AND_DAY;
}
