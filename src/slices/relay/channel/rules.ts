/** What holds in an Agent Channel, apart from where it is kept. */
import type { Random } from '../../../kernel/clock.ts';
import { asRecords, asText, isRecord, type LooseRecord, member } from '../../../kernel/json/loose.ts';

const LETTERS = 'ABCDEFGHJKMPQRSTUVWXYZ';
const DIGITS = '456789';

export const STATUS_CADENCE_SECONDS = 60;
/** After so long without a status, whoever held work may be declared dead. */
export const DEAD_AFTER_SECONDS = 5 * STATUS_CADENCE_SECONDS;

/** Two letters and two digits, of those that nobody mistakes for another. */
export function newChannelId(random: Random): string {
  const pick = (alphabet: string) => {
    // Bytes beyond the last whole multiple would favour the first signs.
    const limit = 256 - (256 % alphabet.length);
    for (;;) {
      const byte = random.bytes(1)[0] as number;
      if (byte < limit) return alphabet[byte % alphabet.length];
    }
  };
  return `${pick(LETTERS)}${pick(LETTERS)}${pick(DIGITS)}${pick(DIGITS)}`;
}

export function readChannelId(given: string): string | undefined {
  const id = given.trim().toUpperCase();
  return new RegExp(`^[${LETTERS}]{2}[${DIGITS}]{2}$`).test(id) ? id : undefined;
}

const NEXT: Readonly<Record<string, readonly string[]>> = {
  proposed: ['in_progress', 'abandoned'],
  in_progress: ['done', 'abandoned'],
  done: [],
  abandoned: [],
};

export interface ConceptFault {
  readonly concept: string;
  readonly from: string;
  readonly to: string;
}

/** The first concept that goes a way it may not, comparing a state with the one before it. */
export function conceptFault(before: unknown, after: unknown): ConceptFault | undefined {
  const known = new Map(conceptsOf(before).map((concept) => [String(concept.id), concept]));
  for (const concept of conceptsOf(after)) {
    const id = String(concept.id);
    const to = asText(concept.status) ?? '';
    const previous = known.get(id);
    known.delete(id);
    if (!Object.hasOwn(NEXT, to)) return { concept: id, from: asText(previous?.status) ?? '', to };
    const from = asText(previous?.status);
    if (from === undefined || !Object.hasOwn(NEXT, from)) continue;
    const finished = NEXT[from]?.length === 0;
    if (finished && JSON.stringify(previous) !== JSON.stringify(concept)) return { concept: id, from, to };
    if (from !== to && !NEXT[from]?.includes(to)) return { concept: id, from, to };
  }
  for (const [id, concept] of known) {
    const from = asText(concept.status) ?? '';
    if (member(NEXT, from)?.length === 0) return { concept: id, from, to: '' };
  }
  return undefined;
}

function conceptsOf(state: unknown): readonly LooseRecord[] {
  return isRecord(state) ? asRecords(state.concepts).filter(({ id }) => typeof id === 'string') : [];
}

export type ViewFormat = 'json' | 'yaml' | 'markdown';

/** `?format=` beats `Accept`; what nobody knows is JSON. */
export function formatOf(query: string | null, accept: string | null): ViewFormat {
  const asked = (query ?? accept ?? '').toLowerCase();
  if (/ya?ml/.test(asked)) return 'yaml';
  return /markdown|^md$/.test(asked) ? 'markdown' : 'json';
}
