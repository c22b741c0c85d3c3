import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { eventWords } from '../journal/event-words.ts';
import { FamilyDot } from '../journal/family-dot.tsx';
import type { JournalEntry } from '../live/journal-stream.ts';
import { useLiveJournal } from '../live/use-live-journal.ts';
import { counted } from '../numbers.ts';
import { ConnectionStatus } from '../shell/connection-status.tsx';
import { Badge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { CommandLine } from '../ui/command-line.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';

const ROW = 'h-12';

/** The journal as it is written, newest on top. It stands still under the pointer and while a row has the focus. */
export function LiveJournalCard() {
  const { entries, state, total } = useLiveJournal();
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const paused = hovered || focused;
  const { shown, held } = useHeld(entries, paused);
  const firstSeen = useRef<number | undefined>(undefined);
  if (firstSeen.current === undefined && total !== undefined) firstSeen.current = total;

  return (
    <Card
      flush
      title="Live journal"
      aside={
        <span className="flex items-center gap-3">
          {paused && shown.length > 0 && (
            <Badge tone={held > 0 ? 'accent' : 'neutral'} icon="pause">
              {held > 0 ? `Paused, ${held} new` : 'Paused'}
            </Badge>
          )}
          <ConnectionStatus />
        </span>
      }
    >
      {state === 'ended' ? (
        <EmptyState icon="lock" title="You cannot read the journal">
          Your credential needs the scope <code className="font-mono text-small">journal:read</code>.
        </EmptyState>
      ) : total === undefined ? (
        <SkeletonRows rows={10} className={ROW} />
      ) : shown.length === 0 ? (
        <EmptyState icon="journal" title="Nothing has happened yet">
          Events appear here the moment they are written. Make the first one:
          <div className="mt-4 text-left">
            <CommandLine command="npx baton-ledger keys create my-agent --actor-type agent" />
          </div>
        </EmptyState>
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: pausing under the pointer is a comfort; focus does the same
        <div
          onPointerEnter={() => setHovered(true)}
          onPointerLeave={() => setHovered(false)}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
          className="mt-1 max-h-96 flex-1 overflow-y-auto border-line border-t"
        >
          <ul aria-label="Newest events">
            {shown.map((entry) => (
              <Row key={entry.leaf} entry={entry} fresh={entry.leaf >= (firstSeen.current ?? 0)} />
            ))}
          </ul>
        </div>
      )}
      <footer className="flex min-h-11 items-center justify-between gap-3 border-line border-t px-4 text-faint text-small">
        <span>{total === undefined ? '' : `Newest ${counted(shown.length, 'event')}`}</span>
        <Link to="/journal" className="font-medium text-accent underline-offset-4 hover:underline">
          Open the journal
        </Link>
      </footer>
    </Card>
  );
}

/** Keeps what is shown while paused, and says how much waits behind it. */
function useHeld(entries: readonly JournalEntry[], paused: boolean) {
  const [frozen, setFrozen] = useState<readonly JournalEntry[] | undefined>();
  const latest = useRef(entries);
  latest.current = entries;
  useEffect(() => setFrozen(paused ? latest.current : undefined), [paused]);
  const shown = paused && frozen ? frozen : entries;
  const held = Math.max(0, (entries[0]?.leaf ?? -1) - (shown[0]?.leaf ?? -1));
  return { shown, held };
}

function Row({ entry, fresh }: { entry: JournalEntry; fresh: boolean }) {
  const { family, title, gist } = eventWords(entry.event.event_type, entry.event.payload);
  return (
    <li className={fresh ? 'arrived' : undefined}>
      <Link
        to="/journal"
        search={{ event: entry.leaf } as never}
        className={`flex ${ROW} items-center gap-3 px-4 transition-colors hover:bg-hover focus-visible:-outline-offset-2`}
      >
        <FamilyDot family={family} />
        <span className="min-w-0 flex-1 truncate">
          <span className="font-medium">{title}</span>
          <span className="ml-2.5 text-small text-soft">{gist}</span>
        </span>
        <span className="hidden max-w-32 truncate text-faint text-small sm:block">{entry.project_id}</span>
        <span className="w-20 shrink-0 whitespace-nowrap text-right text-faint text-small">
          <TimeAgo at={entry.event.timestamp} />
        </span>
      </Link>
    </li>
  );
}
