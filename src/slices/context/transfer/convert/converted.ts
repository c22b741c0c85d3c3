import { asStrings, asText } from '../../../../kernel/json/loose.ts';

/** Records of another tool as packages, facts and sessions. */
export interface Converted {
  readonly packages: Record<string, unknown>[];
  readonly facts: Record<string, unknown>[];
  readonly sessions: Record<string, unknown>[];
  /** Records that hold nothing we keep. */
  skipped: number;
}

export function nothingConverted(): Converted {
  return { packages: [], facts: [], sessions: [], skipped: 0 };
}

/** Undefined if there are none. */
export function someStrings(value: unknown): readonly string[] | undefined {
  const found = asStrings(value);
  return found.length > 0 ? found : undefined;
}

const LONGEST_TITLE = 200;

export function titleFrom(...candidates: unknown[]): string {
  const found = candidates.map(asText).find(Boolean) ?? 'Untitled';
  const line = found.trim().split('\n')[0] || 'Untitled';
  const points = [...line];
  return points.length > LONGEST_TITLE ? `${points.slice(0, LONGEST_TITLE - 1).join('')}…` : line;
}

/** The protocol wants UTC; the epoch if the record gives no time. */
export function utc(...candidates: unknown[]): string {
  for (const candidate of candidates) {
    const millis = typeof candidate === 'string' ? Date.parse(candidate) : Number.NaN;
    if (!Number.isNaN(millis)) return new Date(millis).toISOString();
  }
  return '1970-01-01T00:00:00.000Z';
}
