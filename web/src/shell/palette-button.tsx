import { Icon } from '../ui/icon.tsx';
import { setPaletteOpen } from './palette-state.ts';

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

export function PaletteButton() {
  return (
    <button
      type="button"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => setPaletteOpen(true)}
      className="flex h-9 items-center gap-2 rounded-control border border-line bg-surface px-2.5 text-faint text-small shadow-card transition-colors hover:text-ink"
    >
      <Icon name="search" size={16} />
      <span className="flex-1 text-left">Search or run</span>
      <kbd className="rounded border border-line px-1.5 font-mono text-[0.6875rem] leading-4">
        {isApple ? '⌘K' : 'Ctrl K'}
      </kbd>
    </button>
  );
}
