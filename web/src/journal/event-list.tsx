import { count } from '../numbers.ts';
import { Icon } from '../ui/icon.tsx';
import { absoluteTime, clockTime } from '../ui/time-words.ts';
import { eventWords } from './event-words.ts';
import { FamilyDot } from './family-dot.tsx';
import type { CheckedEntry } from './read-page.ts';

interface EventListProps {
  readonly entries: readonly CheckedEntry[];
  readonly dimmed: boolean;
  readonly onOpen: (leaf: number) => void;
}

export function EventList({ entries, dimmed, onOpen }: EventListProps) {
  return (
    <ul
      aria-label="Events, newest first"
      className={`divide-y divide-line transition-opacity ${dimmed ? 'opacity-60' : ''}`}
    >
      {entries.map((checked) => (
        <li key={checked.entry.leaf}>
          <EventRow checked={checked} onOpen={() => onOpen(checked.entry.leaf)} />
        </li>
      ))}
    </ul>
  );
}

function EventRow({ checked, onOpen }: { checked: CheckedEntry; onOpen: () => void }) {
  const { leaf, project_id, event } = checked.entry;
  const { family, title, gist } = eventWords(event.event_type, event.payload);
  return (
    <button
      type="button"
      onClick={onOpen}
      className="grid w-full grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-2.5 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2 md:grid-cols-[3.5rem_auto_minmax(0,1fr)_auto_auto_1.25rem]"
    >
      <span className="tabular hidden font-mono text-faint text-small md:block">{count(leaf)}</span>
      <FamilyDot family={family} />
      <span className="min-w-0">
        <span className="block truncate md:inline">
          <span className="font-medium">{title}</span>
        </span>
        <span className="block truncate text-small text-soft">{gist || event.event_type}</span>
      </span>
      <span className="hidden max-w-40 truncate text-faint text-small md:block">{project_id}</span>
      <time
        dateTime={event.timestamp}
        title={absoluteTime(event.timestamp)}
        className="tabular hidden min-w-16 whitespace-nowrap text-right text-faint text-small md:block"
      >
        {clockTime(event.timestamp, Date.now())}
      </time>
      <CheckMark checked={checked} />
    </button>
  );
}

function CheckMark({ checked: { check } }: { checked: CheckedEntry }) {
  if (check.hash === 'mismatch' || check.link === 'mismatch') {
    return (
      <span className="text-bad" title="Changed after it was written">
        <Icon name="warning" size={16} />
        <span className="sr-only">changed</span>
      </span>
    );
  }
  const pruned = check.hash === 'pruned';
  return (
    <span
      className={pruned ? 'text-faint' : 'text-good'}
      title={pruned ? 'Content dropped by retention' : 'Hash recomputed here'}
    >
      <Icon name={pruned ? 'clock' : 'check'} size={16} />
      <span className="sr-only">{pruned ? 'content dropped' : 'hash checked'}</span>
    </span>
  );
}
