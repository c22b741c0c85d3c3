import { lazy, Suspense, useEffect } from 'react';
import { keepKey, paletteState, setPaletteOpen, usePalette } from './palette-state.ts';

const load = () => import('./palette-dialog.tsx');
const PaletteDialog = lazy(async () => ({ default: (await load()).PaletteDialog }));
const PALETTE_INPUT = 'palette-input';

/** Waits for its key. Whoever types on at once loses no letter: they are kept until the list is there to take them. */
export function CommandPalette() {
  const { open } = usePalette();
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey)) {
        event.preventDefault();
        setPaletteOpen(true);
        return;
      }
      if (!paletteState().open || event.ctrlKey || event.metaKey || event.altKey) return;
      // From here on the list takes them itself.
      if (document.activeElement?.id === PALETTE_INPUT) return;
      if (!keepKey(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    }
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, []);
  return open ? (
    <Suspense>
      <PaletteDialog inputId={PALETTE_INPUT} onClose={() => setPaletteOpen(false)} />
    </Suspense>
  ) : null;
}
