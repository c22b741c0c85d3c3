import { useSyncExternalStore } from 'react';

/** Which project was looked at last, so that a walk to another page does not forget it. */
const KEY = 'baton.project';
const listeners = new Set<() => void>();
let current = read();

function read(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

export function rememberProject(project: string | undefined): void {
  if (project === current) return;
  current = project;
  try {
    if (project === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, project);
  } catch {
    // Storage is off: it holds until the page is left.
  }
  for (const listener of listeners) listener();
}

export function useRememberedProject(): string | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
