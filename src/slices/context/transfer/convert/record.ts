/** What other tools keep, before anything is known about it. */
export type Foreign = Readonly<Record<string, unknown>>;

export interface Converted {
  readonly packages: Record<string, unknown>[];
  readonly facts: Record<string, unknown>[];
  readonly sessions: Record<string, unknown>[];
  /** Records that say nothing we keep. */
  skipped: number;
}

export function nothing(): Converted {
  return { packages: [], facts: [], sessions: [], skipped: 0 };
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

const LONGEST_TITLE = 200;

export function titleFrom(...candidates: unknown[]): string {
  const found = candidates.map(text).find(Boolean) ?? 'Untitled';
  const line = found.trim().split('\n')[0] || 'Untitled';
  const points = [...line];
  return points.length > LONGEST_TITLE ? `${points.slice(0, LONGEST_TITLE - 1).join('')}…` : line;
}

/** In UTC, as the protocol wants it; the epoch where the record does not say. */
export function utc(...candidates: unknown[]): string {
  for (const candidate of candidates) {
    const millis = typeof candidate === 'string' ? Date.parse(candidate) : Number.NaN;
    if (!Number.isNaN(millis)) return new Date(millis).toISOString();
  }
  return '1970-01-01T00:00:00.000Z';
}
