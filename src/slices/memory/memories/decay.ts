import type { Micros } from '../../../kernel/clock.ts';

export interface DecaySettings {
  readonly enabled?: boolean;
  readonly halfLifeDays?: number;
  readonly reviewThreshold?: number;
  readonly archiveThreshold?: number;
}

export interface Decaying {
  /** As it was when last confirmed. */
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
/** Comes within 0.025 of the published table: 0.95 falls to 0.85, 0.70, 0.50 and 0.30 after 30, 90, 180 and 365 days. */
const HALF_LIFE_DAYS = 205;

export function freshness(memory: Decaying, now: Micros, settings: DecaySettings = {}): Freshness {
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
