import { Dialog } from 'radix-ui';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../ui/icon.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { type Choice, useChoices } from './palette-choices.ts';
import { setEntered, setTyped, usePalette } from './palette-state.ts';

interface PaletteDialogProps {
  readonly inputId: string;
  readonly onClose: () => void;
}

const PAUSE_MS = 120;

export function PaletteDialog({ inputId, onClose }: PaletteDialogProps) {
  const { typed: query, entered } = usePalette();
  const [at, setAt] = useState(0);
  const words = usePaused(query.trim());
  const { choices, looking } = useChoices(query, words);
  const active = Math.min(at, choices.length - 1);
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);

  function choose(choice: Choice | undefined) {
    if (!choice) return;
    onClose();
    choice.run();
  }
  const latest = useRef(choose);
  latest.current = choose;
  const first = choices[0];
  useEffect(() => {
    // The first to answer is not the best: that is known when all have.
    if (!entered || looking) return;
    if (first) latest.current(first);
    else setEntered(false);
  }, [entered, first, looking]);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fade-in fixed inset-0 z-40 bg-black/40" />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            // Left alone, the dialog selects what was typed before it was there, and the next key would replace it.
            event.preventDefault();
            const end = field.current?.value.length ?? 0;
            field.current?.focus();
            field.current?.setSelectionRange(end, end);
          }}
          className="fade-in fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-card border border-line bg-raised shadow-float outline-none"
        >
          <Dialog.Title className="sr-only">Search everything, go to a page or run a command</Dialog.Title>
          <div className="flex items-center gap-2 border-line border-b px-4">
            <Icon name="search" className="text-faint" />
            <input
              ref={field}
              id={inputId}
              role="combobox"
              aria-expanded="true"
              aria-controls={`${inputId}-list`}
              aria-activedescendant={choices[active] && `${inputId}-${active}`}
              aria-label="Go to"
              placeholder="Search everything, or run a command…"
              spellCheck={false}
              autoComplete="off"
              value={query}
              onChange={(event) => {
                setTyped(event.target.value);
                setAt(0);
              }}
              onKeyDown={(event) => {
                const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
                if (step !== undefined && choices.length > 0)
                  setAt((active + step + choices.length) % choices.length);
                else if (event.key === 'Enter')
                  choices[active] && (!looking || active > 0) ? choose(choices[active]) : setEntered(looking);
                else return;
                event.preventDefault();
              }}
              className="h-12 min-w-0 flex-1 bg-transparent text-lead outline-none placeholder:text-faint"
            />
            {looking && query !== '' && <Spinner />}
          </div>
          <div
            ref={list}
            id={`${inputId}-list`}
            role="listbox"
            aria-label="Choices"
            className="max-h-[min(26rem,60vh)] overflow-y-auto p-2 empty:hidden"
          >
            {choices.map((choice, index) => (
              <div
                key={choice.key}
                id={`${inputId}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                onClick={() => choose(choice)}
                onKeyDown={(event) => event.key === 'Enter' && choose(choice)}
                onPointerMove={() => setAt(index)}
                className="flex h-10 cursor-pointer items-center gap-3 rounded-control px-3 text-soft aria-selected:bg-accent-soft aria-selected:text-accent"
              >
                <Icon name={choice.icon} />
                <span className="min-w-0 flex-1 truncate">{choice.label}</span>
                <span className="shrink-0 text-faint text-small">{choice.note}</span>
              </div>
            ))}
          </div>
          {choices.length === 0 && (
            <p role="status" className="px-5 py-4 text-soft">
              {looking ? 'Looking…' : 'Nothing goes by these words.'}
            </p>
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** What was typed, once the typing pauses. */
function usePaused(words: string): string {
  const [paused, setPaused] = useState(words);
  useEffect(() => {
    const pause = setTimeout(() => setPaused(words), PAUSE_MS);
    return () => clearTimeout(pause);
  }, [words]);
  return paused;
}
