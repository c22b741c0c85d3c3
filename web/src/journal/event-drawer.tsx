import { useQuery } from '@tanstack/react-query';
import { count } from '../numbers.ts';
import { IconButton } from '../ui/button.tsx';
import { Drawer } from '../ui/drawer.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useKeys } from '../ui/use-keys.ts';
import { WhyLink } from '../ui/why-link.tsx';
import { EventDetails } from './event-details.tsx';
import { eventWords } from './event-words.ts';
import { journalEntryQuery } from './queries.ts';
import type { CheckedEntry } from './read-page.ts';

interface EventDrawerProps {
  readonly leaf: number;
  /** The page behind it, to walk through. */
  readonly entries: readonly CheckedEntry[];
  readonly onOpen: (leaf: number) => void;
  readonly onClose: () => void;
}

export function EventDrawer({ leaf, entries, onOpen, onClose }: EventDrawerProps) {
  const index = entries.findIndex(({ entry }) => entry.leaf === leaf);
  const single = useQuery({ ...journalEntryQuery(leaf), enabled: index < 0 });
  const checked = entries[index] ?? single.data ?? undefined;
  const to = (step: number) => {
    const next = index >= 0 ? entries[index + step] : undefined;
    if (next) onOpen(next.entry.leaf);
  };
  useKeys({ j: () => to(1), k: () => to(-1) }, { inDialog: true });
  const words = checked && eventWords(checked.entry.event.event_type, checked.entry.event.payload);
  return (
    <Drawer
      open
      onClose={onClose}
      title={words?.title ?? 'Event'}
      description={`Number ${count(leaf)} of the journal`}
      actions={
        <span className="flex items-center gap-1">
          {checked && <WhyLink id={checked.entry.event.event_id} />}
          {index >= 0 && (
            <>
              <IconButton icon="left" label="Newer event" disabled={index === 0} onClick={() => to(-1)} />
              <IconButton
                icon="right"
                label="Older event"
                disabled={index === entries.length - 1}
                onClick={() => to(1)}
              />
            </>
          )}
        </span>
      }
    >
      {checked ? (
        <EventDetails key={leaf} checked={checked} />
      ) : single.error ? (
        <ErrorNote error={single.error} onRetry={() => void single.refetch()} />
      ) : single.isPending ? (
        <Skeleton className="h-64 w-full" />
      ) : (
        <EmptyState icon="journal" title="Event not found">
          The part of the journal you can read has no event with this number.
        </EmptyState>
      )}
    </Drawer>
  );
}
