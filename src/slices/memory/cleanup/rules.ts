/** What is wrong with memories that have been kept for a while, and what to do about each. Pure. */
import type { Micros } from '../../../kernel/clock.ts';
import { alikePairs } from '../../../spine/search/rules/alike.ts';
import { draftMerge, mayContradict } from '../consolidation/rules.ts';
import { normalForm } from '../content.ts';

export const MEMORY_ROT = [
  'secret',
  'exact_duplicate',
  'near_duplicate',
  'contradiction',
  'faded',
  'never_read',
  'oversized',
] as const;
export type MemoryRot = (typeof MEMORY_ROT)[number];

export interface KeptMemory {
  readonly id: string;
  readonly content: string;
  readonly type: string;
  readonly category: string | undefined;
  /** When it was approved or last confirmed. */
  readonly since: Micros;
  readonly pinned: boolean;
  /** How often it was handed to an agent. */
  readonly reads: number;
  /** What its age suggests. */
  readonly suggests: 'nothing' | 'review' | 'archive';
}

export interface RotFound {
  readonly kind: MemoryRot;
  readonly ids: readonly string[];
  readonly why: string;
  /** An operation that would mend it, with its input; the person decides. */
  readonly proposal: { readonly operation: string; readonly input: Readonly<Record<string, unknown>> };
}

const DAY = 86_400_000_000;
const UNREAD_DAYS = 90;
/** Somewhat more than a paragraph: a memory is one statement. */
const LONG = 600;
/** From this share of common stems on, two memories that speak against each other are about the same. */
const SAME_SUBJECT = 0.4;

export function findMemoryRot(
  memories: readonly KeptMemory[],
  now: Micros,
  hasSecret: (text: string) => boolean,
): RotFound[] {
  const secret = memories.filter(({ content }) => hasSecret(content));
  // What is to be erased is not merged with anything first.
  const rest = memories.filter((memory) => !secret.includes(memory));
  return [
    ...secret.map(
      ({ id }): RotFound => ({
        kind: 'secret',
        ids: [id],
        why: 'It holds what looks like a credential.',
        proposal: { operation: 'memory.erase', input: { memory: id } },
      }),
    ),
    ...pairsOf(rest),
    ...rest.flatMap((memory) => alone(memory, now)),
  ];
}

function pairsOf(memories: readonly KeptMemory[]): RotFound[] {
  const pairs = alikePairs(
    memories.map(({ content }) => content),
    SAME_SUBJECT,
  );
  return pairs.flatMap(({ one, other, share }) => {
    const a = memories[one] as KeptMemory;
    const b = memories[other] as KeptMemory;
    return compared(a, b, share) ?? [];
  });
}

function compared(a: KeptMemory, b: KeptMemory, share: number): RotFound | undefined {
  const ids = [a.id, b.id];
  const [older, newer] = a.since <= b.since ? [a, b] : [b, a];
  const archiveOlder = { operation: 'memory.archive', input: { id: older.id } };
  const together = a.type === b.type && topOf(a.category) === topOf(b.category);
  const proposal = together
    ? {
        operation: 'memory.merge',
        input: { memory_ids: ids, content: draftMerge([newer.content, older.content]) },
      }
    : archiveOlder;
  if (normalForm(a.content) === normalForm(b.content))
    return { kind: 'exact_duplicate', ids, why: 'They say the same in the same words.', proposal };
  if (mayContradict(a.content, b.content))
    return { kind: 'contradiction', ids, why: 'They may not both be true.', proposal: archiveOlder };
  if (share < NEAR) return undefined;
  const why = `They share ${Math.round(share * 100)} % of their words.`;
  return { kind: 'near_duplicate', ids, why, proposal };
}

const NEAR = 0.8;

function alone(memory: KeptMemory, now: Micros): RotFound[] {
  const { id, content, pinned, reads, since, suggests } = memory;
  const archive = { operation: 'memory.archive', input: { id } };
  const days = Math.floor((now - since) / DAY);
  const found: RotFound[] = [];
  if (suggests === 'archive') {
    const why = `Nobody has confirmed it for ${days} days.`;
    found.push({ kind: 'faded', ids: [id], why, proposal: archive });
  } else if (!pinned && reads === 0 && days >= UNREAD_DAYS) {
    const why = `No agent was given it in ${days} days.`;
    found.push({ kind: 'never_read', ids: [id], why, proposal: archive });
  }
  if (content.length > LONG) {
    found.push({
      kind: 'oversized',
      ids: [id],
      why: `It has ${content.length} characters; a memory is one statement.`,
      proposal: { operation: 'memory.edit', input: { id, content: beginningOf(content) } },
    });
  }
  return found;
}

const KEPT = 280;

/** Whole sentences from the start: a draft for the person to correct. */
function beginningOf(content: string): string {
  const cut = content.slice(0, KEPT);
  const end = Math.max(cut.lastIndexOf('. '), cut.lastIndexOf('\n'));
  return end > KEPT / 4 ? cut.slice(0, end + 1).trim() : `${cut.slice(0, cut.lastIndexOf(' ')).trim()}…`;
}

function topOf(category: string | undefined): string | undefined {
  return category?.split('.')[0];
}
