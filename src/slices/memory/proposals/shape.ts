import { asRecord, asString, type LooseRecord, present } from '../../../kernel/json/loose.ts';
import {
  impliedType,
  isMemoryType,
  isSensitivity,
  type MemoryType,
  parseCategory,
  type Sensitivity,
} from '../categories.ts';
import { checkedContent, sanitizedStart, sanitizeText } from '../content.ts';
import { invalid, memoryErrors } from '../errors.ts';
import { PROPOSAL_CONFIDENCE, PROPOSAL_KINDS, type ProposalKind, type ProposalStatus } from './rules.ts';

export interface Evidence {
  readonly type?: string | undefined;
  readonly quote?: string | undefined;
  readonly timestamp?: string | undefined;
  /** Where in which turn of a conversation it was said, in UTF-16 units. */
  readonly span?: { readonly turn: string; readonly start: number; readonly end: number } | undefined;
}

/** What an agent proposes, whichever of the two shapes it was written in. */
export interface NewProposal {
  readonly kind: ProposalKind;
  readonly content: string;
  readonly category: string | undefined;
  readonly type: MemoryType;
  /** Whether the agent chose the type; otherwise it is the default. */
  readonly typeGiven: boolean;
  readonly confidence: number;
  readonly context: string | undefined;
  readonly evidence: readonly Evidence[];
  readonly sensitivity: Sensitivity | undefined;
  readonly scope: readonly string[];
  readonly tags: readonly string[];
  readonly priority: 'low' | 'normal' | 'high';
  readonly agentName: string | undefined;
  readonly sessionId: string | undefined;
  readonly targetMemoryId: string | undefined;
  readonly supersedes: string | undefined;
  readonly expiresAt: string | undefined;
}

const EVIDENCE = ['user_statement', 'inferred', 'confirmed', 'external'];

/** The agent that a proposal names as its own, in either form. */
export function proposedBy(body: LooseRecord): string | undefined {
  return asString(asRecord(body.proposedBy).agentDid) ?? asString(body.agentDid);
}

/** Reads the flat form and the nested one (`memory`, `proposedBy`); where they are mixed, the nested part wins. */
export function readProposal(body: LooseRecord): NewProposal {
  const memory = asRecord(body.memory);
  const by = asRecord(body.proposedBy);
  const pick = (name: string, nested = name) => memory[nested] ?? body[name];
  const kind = (body.kind ?? 'memory') as ProposalKind;
  if (!PROPOSAL_KINDS.includes(kind) || kind === 'consolidation')
    throw invalid('/kind', 'Agents can propose memories and reclassifications only.');
  const category = categoryOf(pick('category'));
  const { type, given } = typeOf(body, memory, category);
  const content = pick('content');
  const target = asString(body.targetMemoryId);
  if (kind === 'reclassification' && target === undefined) {
    throw invalid('/targetMemoryId', 'A reclassification must name the memory it is about.');
  }
  if (kind === 'memory' && typeof content !== 'string')
    throw invalid('/content', 'A proposal must have a text as its content.');
  const sensitivity = pick('sensitivity', 'suggestedSensitivity') ?? body.suggestedSensitivity;
  if (sensitivity !== undefined && !isSensitivity(sensitivity))
    throw invalid('/sensitivity', 'There is no such sensitivity.');
  return {
    kind,
    content: typeof content === 'string' && kind === 'memory' ? checkedContent(content) : '',
    category,
    type,
    typeGiven: given,
    confidence: confidenceOf(pick('confidence')),
    context: short(body.context ?? by.conversationContext, 1000),
    evidence: evidenceOf(body.evidence),
    sensitivity: sensitivity as Sensitivity | undefined,
    scope: words(pick('scope', 'suggestedScope') ?? body.suggestedScope, '/scope'),
    tags: words(pick('tags', 'suggestedTags') ?? body.suggestedTags, '/tags'),
    priority: body.priority === 'low' || body.priority === 'high' ? body.priority : 'normal',
    agentName: short(body.agentName ?? by.agentName, 100),
    sessionId: short(body.sessionId ?? by.sessionId, 200),
    targetMemoryId: target,
    supersedes: asString(body.supersedes),
    expiresAt: asString(body.expiresAt),
  };
}

/** Defaults to episodic, or to what a legacy category implies; both names with different values are refused. */
function typeOf(
  body: LooseRecord,
  memory: LooseRecord,
  category: string | undefined,
): { type: MemoryType; given: boolean } {
  const values = [body.memory_type, body.memoryType, memory.memory_type, memory.memoryType].filter(
    (value) => value !== undefined,
  );
  const implied = impliedType(category);
  const [first] = values;
  if (first === undefined) return { type: implied ?? 'episodic', given: implied !== undefined };
  if (!isMemoryType(first)) throw memoryErrors.A2P023({ pointer: '/memory_type' });
  if (values.some((value) => value !== first))
    throw invalid('/memoryType', 'memory_type and memoryType differ.');
  if (implied !== undefined && implied !== first) throw memoryErrors.A2P024({ pointer: '/memory_type' });
  return { type: first, given: true };
}

function categoryOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || !parseCategory(value))
    throw invalid('/category', 'This is not a category.');
  return value;
}

function confidenceOf(value: unknown): number {
  if (value === undefined) return PROPOSAL_CONFIDENCE;
  if (typeof value !== 'number' || !(value >= 0 && value <= 1))
    throw invalid('/confidence', 'A confidence is a number from 0 to 1.');
  return value;
}

function evidenceOf(value: unknown): Evidence[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > 50)
    throw invalid('/evidence', 'Evidence is a list of at most 50 entries.');
  return value.map((each, at) => {
    const { type, quote, timestamp, span } = asRecord(each);
    const { turn, start, end } = asRecord(span);
    if (type !== undefined && !EVIDENCE.includes(type as string))
      throw invalid(`/evidence/${at}/type`, 'There is no such kind of evidence.');
    const said = short(quote, 2000);
    return {
      ...(typeof type === 'string' && { type }),
      ...(said !== undefined && { quote: said }),
      ...(typeof timestamp === 'string' && { timestamp: timestamp.slice(0, 40) }),
      ...(typeof turn === 'string' &&
        isPlace(start) &&
        isPlace(end) && { span: { turn: turn.slice(0, 600), start, end } }),
    };
  });
}

const isPlace = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** What the person changes on approval. */
export interface Edits {
  readonly content?: string;
  readonly category?: string;
  readonly type?: MemoryType;
  readonly sensitivity?: Sensitivity;
  readonly scope?: readonly string[];
}

/** An empty text is an edit too, and is refused: it never means "unchanged". */
export function readEdits(given: unknown): Edits {
  const edits = asRecord(given);
  const content = edits.content ?? edits.editedContent;
  const category = edits.category ?? edits.editedCategory;
  const type = edits.memory_type ?? edits.memoryType;
  const { sensitivity, scope } = edits;
  if (content !== undefined && typeof content !== 'string')
    throw invalid('/edits/content', 'The content must be text.');
  if (category !== undefined && (typeof category !== 'string' || !parseCategory(category)))
    throw invalid('/edits/category', 'This is not a category.');
  if (type !== undefined && !isMemoryType(type)) throw memoryErrors.A2P023({ pointer: '/edits/memory_type' });
  if (sensitivity !== undefined && !isSensitivity(sensitivity))
    throw invalid('/edits/sensitivity', 'There is no such sensitivity.');
  if (scope !== undefined && !(Array.isArray(scope) && scope.every((each) => typeof each === 'string')))
    throw invalid('/edits/scope', 'This must be a list of words.');
  return {
    ...(content !== undefined && { content: checkedContent(content, '/edits/content') }),
    ...(category !== undefined && { category }),
    ...(type !== undefined && { type }),
    ...(sensitivity !== undefined && { sensitivity }),
    ...(scope !== undefined && { scope: scope as string[] }),
  };
}

/** A proposal as it is stored: enough for both shapes. */
export interface StoredProposal extends NewProposal {
  readonly id: string;
  readonly agentDid: string;
  readonly userDid: string;
  readonly status: ProposalStatus;
  readonly proposedAt: string;
  readonly expiresAt: string;
  readonly resolvedAt: string | undefined;
  readonly createdMemoryId: string | undefined;
  readonly reason: string | undefined;
  readonly editedContent: string | undefined;
  readonly editedCategory: string | undefined;
  readonly similarTo: readonly string[];
}

export function flatProposal(proposal: StoredProposal): Record<string, unknown> {
  return {
    id: proposal.id,
    ...(proposal.kind !== 'memory' && { kind: proposal.kind, targetMemoryId: proposal.targetMemoryId }),
    agentDid: proposal.agentDid,
    userDid: proposal.userDid,
    content: proposal.content,
    ...present({ category: proposal.category }),
    memory_type: proposal.type,
    confidence: proposal.confidence,
    ...present({ context: proposal.context }),
    status: proposal.status,
    proposedAt: proposal.proposedAt,
    expiresAt: proposal.expiresAt,
    ...(proposal.evidence.length > 0 && { evidence: proposal.evidence }),
    ...present({
      resolvedAt: proposal.resolvedAt,
      reason: proposal.reason,
      memoryId: proposal.createdMemoryId,
    }),
    ...present({ editedContent: proposal.editedContent }),
    ...(proposal.similarTo.length > 0 && { similarTo: proposal.similarTo }),
  };
}

const ACTION: Readonly<Record<ProposalStatus, string | undefined>> = {
  pending: undefined,
  approved: 'approved',
  edited: 'approved_with_edits',
  rejected: 'rejected',
  expired: 'expired',
  withdrawn: 'withdrawn',
};

export function nestedProposal(proposal: StoredProposal): Record<string, unknown> {
  const action = ACTION[proposal.status];
  return {
    id: proposal.id,
    ...(proposal.kind !== 'memory' && { kind: proposal.kind, targetMemoryId: proposal.targetMemoryId }),
    proposedBy: {
      agentDid: proposal.agentDid,
      ...present({ agentName: proposal.agentName, sessionId: proposal.sessionId }),
    },
    proposedAt: proposal.proposedAt,
    memory: {
      content: proposal.content,
      ...present({ category: proposal.category }),
      memory_type: proposal.type,
      confidence: proposal.confidence,
      ...present({ suggestedSensitivity: proposal.sensitivity }),
      ...(proposal.scope.length > 0 && { suggestedScope: proposal.scope }),
      ...(proposal.tags.length > 0 && { suggestedTags: proposal.tags }),
    },
    ...present({ context: proposal.context }),
    ...(proposal.evidence.length > 0 && { evidence: proposal.evidence }),
    status: proposal.status === 'edited' ? 'approved' : proposal.status,
    ...(action !== undefined && {
      resolution: {
        ...present({ resolvedAt: proposal.resolvedAt }),
        action,
        ...present({
          editedContent: proposal.editedContent,
          editedCategory: proposal.editedCategory,
          reason: proposal.reason,
          createdMemoryId: proposal.createdMemoryId,
        }),
      },
    }),
    expiresAt: proposal.expiresAt,
    priority: proposal.priority,
    ...(proposal.similarTo.length > 0 && { similarTo: proposal.similarTo }),
  };
}

function short(value: unknown, limit: number): string | undefined {
  return typeof value === 'string' ? sanitizedStart(value, limit) : undefined;
}

function words(value: unknown, pointer: string): string[] {
  if (value === undefined) return [];
  const fits =
    Array.isArray(value) &&
    value.length <= 20 &&
    value.every((each) => typeof each === 'string' && each.length <= 60);
  if (!fits) throw invalid(pointer, 'This must be a list of at most 20 short words.');
  return value.map((each) => sanitizeText(each as string)).filter((each) => each !== '');
}
