import { useSyncExternalStore } from 'react';

/** How long a decision is held back so that it can be undone: each person's own choice, kept in this browser. */
export const UNDO_CHOICES = [0, 5, 10, 30] as const;
const KEY = 'baton-undo-seconds';
const FIRST = 5;

const listeners = new Set<() => void>();

function read(): number {
  const kept = localStorage.getItem(KEY);
  const seconds = Number(kept);
  return kept !== null && (UNDO_CHOICES as readonly number[]).includes(seconds) ? seconds : FIRST;
}

export function setUndoSeconds(seconds: number): void {
  localStorage.setItem(KEY, String(seconds));
  for (const listener of listeners) listener();
}

export function useUndoSeconds(): number {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, read);
}
