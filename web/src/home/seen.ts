import { useSyncExternalStore } from 'react';

/** How far somebody has said that they have looked. Kept by this browser only. */
export interface Seen {
  /** The number of the last event of the project. */
  readonly seq: number;
  readonly at: string;
}

const keyOf = (project: string) => `baton.seen.${project}`;
const listeners = new Set<() => void>();

function readText(project: string): string | null {
  try {
    return localStorage.getItem(keyOf(project));
  } catch {
    return null;
  }
}

export function parseSeen(text: string | null): Seen | undefined {
  try {
    const { seq, at } = JSON.parse(text ?? '{}') as Partial<Seen>;
    return typeof seq === 'number' && typeof at === 'string' ? { seq, at } : undefined;
  } catch {
    return undefined;
  }
}

export function markSeen(project: string, seen: Seen): void {
  try {
    localStorage.setItem(keyOf(project), JSON.stringify(seen));
  } catch {
    // Storage is off: everything stays new.
  }
  for (const listener of listeners) listener();
}

export function useSeen(project: string): Seen | undefined {
  const text = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => readText(project),
  );
  return parseSeen(text);
}
