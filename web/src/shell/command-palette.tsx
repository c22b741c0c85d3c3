import { lazy, Suspense, useEffect } from 'react';
import { setPaletteOpen, usePaletteOpen } from './palette-state.ts';

const PaletteDialog = lazy(async () => ({ default: (await import('./palette-dialog.tsx')).PaletteDialog }));

/** Waits for its key; the list itself is fetched when it is first wanted. */
export function CommandPalette() {
  const open = usePaletteOpen();
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setPaletteOpen(true);
    }
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return open ? (
    <Suspense>
      <PaletteDialog onClose={() => setPaletteOpen(false)} />
    </Suspense>
  ) : null;
}
