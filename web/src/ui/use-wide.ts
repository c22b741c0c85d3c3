import { useSyncExternalStore } from 'react';

/** As in the style sheets: from here on two columns stand side by side. */
const WIDE = '(min-width: 64rem)';

/** Whether there is room for a list and, beside it, what is chosen from it. */
export function useWide(): boolean {
  return useSyncExternalStore(listen, () => matchMedia(WIDE).matches);
}

function listen(listener: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
