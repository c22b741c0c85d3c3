import { useSyncExternalStore } from 'react';

/** What is typed stands here and not in the list, which may not be there yet. */
export interface PaletteState {
  readonly open: boolean;
  readonly typed: string;
  /** Enter was pressed before there was anything to choose from: the first one is taken as soon as it is there. */
  readonly entered: boolean;
}

const CLOSED: PaletteState = { open: false, typed: '', entered: false };
let state = CLOSED;
const listeners = new Set<() => void>();

function set(next: PaletteState): void {
  state = next;
  for (const listener of listeners) listener();
}

export function setPaletteOpen(open: boolean): void {
  if (open !== state.open) set({ ...CLOSED, open });
}

/** The state after a key; undefined where the key is none of its business. */
export function afterKey(before: PaletteState, key: string): PaletteState | undefined {
  if (key === 'Escape') return CLOSED;
  if (key === 'Enter') return { ...before, entered: true };
  if (key === 'Backspace') return { ...before, typed: before.typed.slice(0, -1) };
  return [...key].length === 1 ? { ...before, typed: before.typed + key } : undefined;
}

export function setTyped(typed: string): void {
  set({ ...state, typed, entered: false });
}

export function setEntered(entered: boolean): void {
  set({ ...state, entered });
}

/** Keeps a key that is pressed while the palette is still being fetched. */
export function keepKey(key: string): boolean {
  const next = afterKey(state, key);
  if (next) set(next);
  return next !== undefined;
}

export function usePalette(): PaletteState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}

export const paletteState = (): PaletteState => state;
