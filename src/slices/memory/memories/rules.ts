import type { Micros } from '../../../kernel/clock.ts';
import { parseInstant } from '../../../kernel/instant.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { defaultSensitivity, type SensitivityRules } from '../categories.ts';
import { numberMember, objectMember, textMember, textsMember } from '../documents.ts';
import type { MemoryType } from '../memory-type.ts';
import { isSensitivity, type Sensitivity } from '../sensitivity.ts';

const MEMORY_STATUSES = ['pending', 'approved', 'rejected', 'archived', 'expired'] as const;
export type MemoryStatus = (typeof MEMORY_STATUSES)[number];

/** What of a memory's document the store keeps beside it to find, filter and count by. */
export interface MemoryFacets {
  readonly type: MemoryType;
  readonly category: string | undefined;
  readonly sensitivity: Sensitivity;
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

/** What a document leaves open is filled in here and not in the document. A status that nobody knows is not approved. */
export function facetsOf(document: JsonObject, type: MemoryType, rules: SensitivityRules = {}): MemoryFacets {
  const source = objectMember(document, 'source');
  const metadata = objectMember(document, 'metadata');
  const at = (object: JsonObject, name: string) => parseInstant(textMember(object, name) ?? '')?.micros;
  const status = document.status === undefined ? 'approved' : textMember(document, 'status');
  const sensitivity = document.sensitivity;
  const category = textMember(document, 'category');
  const confidence = numberMember(document, 'confidence') ?? 0.8;
  return {
    type,
    category,
    sensitivity: isSensitivity(sensitivity)
      ? sensitivity
      : sensitivity === undefined
        ? defaultSensitivity(category, rules)
        : 'restricted',
    scope: textsMember(document, 'scope'),
    status: MEMORY_STATUSES.includes(status as MemoryStatus) ? (status as MemoryStatus) : 'pending',
    confidence: Math.min(1, Math.max(0, confidence)),
    agentDid: textMember(source, 'agentDid'),
    sessionId: textMember(source, 'sessionId'),
    learned: at(source, 'timestamp') ?? at(document, 'createdAt'),
    approved: at(metadata, 'approvedAt'),
    confirmed: at(metadata, 'lastConfirmed'),
    archived: at(metadata, 'archivedAt'),
    useCount: Math.max(0, Math.floor(numberMember(metadata, 'useCount') ?? 0)),
    lastUsed: textMember(metadata, 'lastUsed'),
    supersededBy: textMember(metadata, 'supersededBy'),
  };
}

export function contentOf(document: JsonObject): string {
  return textMember(document, 'content') ?? '';
}
