import { useNavigate } from '@tanstack/react-router';
import { Dialog } from 'radix-ui';
import { useId, useState } from 'react';
import { Icon, type IconName } from '../ui/icon.tsx';
import { usePages } from './navigation.tsx';
import { setTheme } from './theme.ts';

interface Choice {
  readonly label: string;
  readonly words: string;
  readonly icon: IconName;
  readonly run: () => void;
}

function useChoices(): readonly Choice[] {
  const navigate = useNavigate();
  const shown = usePages();
  return [
    ...shown.map(({ path, label, icon, also }) => ({
      label,
      icon,
      words: `${label} ${also ?? ''}`,
      run: () => void navigate({ to: path }),
    })),
    { label: 'Light theme', icon: 'sun', words: 'light theme bright', run: () => setTheme('light') },
    { label: 'Dark theme', icon: 'moon', words: 'dark theme night', run: () => setTheme('dark') },
    {
      label: 'System theme',
      icon: 'system',
      words: 'system theme auto',
      run: () => setTheme('system'),
    },
  ];
}

export function PaletteDialog({ onClose }: { onClose: () => void }) {
  const id = useId();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const wanted = query.toLowerCase().split(/\s+/);
  const found = useChoices().filter(({ words }) =>
    wanted.every((word) => words.toLowerCase().includes(word)),
  );
  const active = Math.min(at, found.length - 1);

  function choose(choice: Choice | undefined) {
    if (!choice) return;
    onClose();
    choice.run();
  }

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fade-in fixed inset-0 z-40 bg-black/40" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fade-in fixed top-[14vh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-lg -translate-x-1/2 overflow-hidden rounded-card border border-line bg-raised shadow-float outline-none"
        >
          <Dialog.Title className="sr-only">Go to a page or change the theme</Dialog.Title>
          <div className="flex items-center gap-2 border-line border-b px-4">
            <Icon name="search" className="text-faint" />
            <input
              role="combobox"
              aria-expanded="true"
              aria-controls={`${id}-list`}
              aria-activedescendant={found[active] && `${id}-${active}`}
              aria-label="Go to"
              placeholder="Go to…"
              value={query}
              onChange={(event) => {
                setQuery(event.target.value);
                setAt(0);
              }}
              onKeyDown={(event) => {
                const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
                if (step !== undefined && found.length > 0)
                  setAt((active + step + found.length) % found.length);
                else if (event.key === 'Enter') choose(found[active]);
                else return;
                event.preventDefault();
              }}
              className="h-12 flex-1 bg-transparent text-lead outline-none placeholder:text-faint"
            />
          </div>
          <div
            id={`${id}-list`}
            role="listbox"
            aria-label="Choices"
            className="max-h-[24rem] overflow-y-auto p-2"
          >
            {found.map((choice, index) => (
              <div
                key={choice.label}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                onClick={() => choose(choice)}
                onKeyDown={(event) => event.key === 'Enter' && choose(choice)}
                onPointerMove={() => setAt(index)}
                className="flex h-10 cursor-pointer items-center gap-3 rounded-control px-3 text-soft aria-selected:bg-accent-soft aria-selected:text-accent"
              >
                <Icon name={choice.icon} />
                {choice.label}
              </div>
            ))}
          </div>
          {found.length === 0 && <p className="px-5 pb-5 text-soft">No matches.</p>}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
