import { useEffect, useRef } from 'react';

/** A box to tick takes no letters. */
const TYPED_INTO = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]';

export type KeyActions = Readonly<Record<string, () => void>>;

/** Single keys do their action, except while somebody types, holds a modifier, or a dialog lies over the page. */
export function useKeys(actions: KeyActions, options: { inDialog?: boolean } = {}): void {
  const latest = useRef(actions);
  latest.current = actions;
  const inDialog = options.inDialog ?? false;
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target as HTMLElement;
      if (target.closest(TYPED_INTO)) return;
      if (!inDialog && document.querySelector('[role="dialog"]')) return;
      const action = latest.current[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    }
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [inDialog]);
}
