import { useSyncExternalStore } from 'react';

const KEY = 'baton-standing-later';
const DAYS_MS = 30 * 86_400_000;
const listeners = new Set<() => void>();

type Later = Readonly<Record<string, number>>;

function read(): Later {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Later) : {};
  } catch {
    return {};
  }
}

let known = read();

/** Hides a suggestion in this browser for 30 days. */
export function notNow(id: string): void {
  const now = Date.now();
  const kept = Object.entries(known).filter(([, until]) => until > now);
  known = { ...Object.fromEntries(kept), [id]: now + DAYS_MS };
  localStorage.setItem(KEY, JSON.stringify(known));
  for (const listener of listeners) listener();
}

export function useLater(): (id: string) => boolean {
  const later = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => known,
  );
  return (id) => (later[id] ?? 0) > Date.now();
}
