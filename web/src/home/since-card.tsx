import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { eventWords } from '../journal/event-words.ts';
import type { JournalEntry } from '../live/journal-stream.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { TimeAgo, useNow } from '../ui/time-ago.tsx';
import { clockTime } from '../ui/time-words.ts';
import { MOST_TOLD, toldQuery } from './queries.ts';
import { markSeen, type Seen } from './seen.ts';

interface SinceCardProps {
  readonly project: string;
  readonly seen: Seen | undefined;
}

const SHOWN = 6;

/** What happened since somebody said that they had looked. Looking alone marks nothing. */
export function SinceCard({ project, seen }: SinceCardProps) {
  const query = useQuery(toldQuery(project));
  const entries = (query.data?.events ?? []).toSorted((a, b) => b.project_seq - a.project_seq);
  const fresh = seen === undefined ? entries : entries.filter(({ project_seq }) => project_seq > seen.seq);
  const [newest] = entries;
  return (
    <Card
      flush
      title={
        <>
          Since you last looked
          {seen && (
            <span className="ml-2 font-normal text-faint text-small">
              <TimeAgo at={seen.at} />
            </span>
          )}
        </>
      }
      aside={
        fresh.length > 0 &&
        newest && (
          <button
            type="button"
            onClick={() => markSeen(project, { seq: newest.project_seq, at: new Date().toISOString() })}
            className="whitespace-nowrap font-medium text-accent text-small underline-offset-4 hover:underline"
          >
            Mark as seen
          </button>
        )
      }
    >
      <QueryView query={query} rows={5}>
        {() =>
          fresh.length === 0 ? (
            <EmptyState icon="check" title={seen ? 'Nothing new' : 'Nothing has happened yet'} />
          ) : (
            <>
              <Counts entries={fresh} />
              <ul aria-label="Changed since you last looked" className="pb-2">
                {alike(fresh)
                  .slice(0, SHOWN)
                  .map(({ entry, times }) => (
                    <ToldRow key={entry.leaf} entry={entry} times={times} />
                  ))}
              </ul>
            </>
          )
        }
      </QueryView>
    </Card>
  );
}

interface Kind {
  readonly words: readonly [one: string, many: string];
  readonly icon: IconName;
  readonly tone: string;
}

const DENIAL: Kind = { words: ['denial', 'denials'], icon: 'cross', tone: 'bg-bad-soft text-bad' };
const kinds: Readonly<Record<string, Kind>> = {
  'action.denied': DENIAL,
  'carp.refused': DENIAL,
  'inbox.decided': { words: ['decision', 'decisions'], icon: 'check', tone: 'bg-good-soft text-good' },
  'fact.asserted': { words: ['fact', 'facts'], icon: 'clock', tone: 'bg-sunken text-soft' },
  'package.deposited': { words: ['package', 'packages'], icon: 'context', tone: 'bg-sunken text-soft' },
  'atlas.loaded': { words: ['Atlas', 'Atlases'], icon: 'policy', tone: 'bg-accent-soft text-accent' },
  'run.started': { words: ['run', 'runs'], icon: 'run', tone: 'bg-sunken text-soft' },
  'memory.created': { words: ['memory', 'memories'], icon: 'memory', tone: 'bg-sunken text-soft' },
};
const OTHER: Kind = { words: ['change', 'changes'], icon: 'info', tone: 'bg-sunken text-soft' };

const kindOf = (entry: JournalEntry): Kind => kinds[entry.event.event_type] ?? OTHER;

function Counts({ entries }: { entries: readonly JournalEntry[] }) {
  const counts = new Map<Kind, number>();
  for (const entry of entries) counts.set(kindOf(entry), (counts.get(kindOf(entry)) ?? 0) + 1);
  // Of what fills the whole page, nobody knows how much more there is.
  const more = entries.length >= MOST_TOLD ? '+' : '';
  return (
    <ul aria-label="How much" className="flex flex-wrap gap-1.5 px-4 pt-1 pb-2">
      {[...counts].map(([kind, n]) => (
        <li
          key={kind.words[0]}
          className={`tabular rounded-full px-2.5 py-0.5 font-medium text-tiny ${kind === DENIAL ? kind.tone : 'bg-sunken text-soft'}`}
        >
          {n}
          {more} {kind.words[n === 1 ? 0 : 1]}
        </li>
      ))}
    </ul>
  );
}

/** What reads the same and follows each other, in one row: the newest of it, and how many there are. */
function alike(entries: readonly JournalEntry[]): { entry: JournalEntry; times: number }[] {
  const rows: { entry: JournalEntry; words: string; times: number }[] = [];
  for (const entry of entries) {
    const { title, gist } = eventWords(entry.event.event_type, entry.event.payload);
    const words = `${title} ${gist}`;
    const last = rows.at(-1);
    if (last?.words === words) last.times += 1;
    else rows.push({ entry, words, times: 1 });
  }
  return rows;
}

function ToldRow({ entry, times }: { entry: JournalEntry; times: number }) {
  const now = useNow();
  const { icon, tone } = kindOf(entry);
  const { title, gist } = eventWords(entry.event.event_type, entry.event.payload);
  return (
    <li>
      <Link
        to="/why"
        search={{ id: entry.event.event_id } as never}
        className="flex items-start gap-3 px-4 py-2 transition-colors hover:bg-hover focus-visible:-outline-offset-2"
      >
        <span className={`mt-0.5 flex size-6 shrink-0 items-center justify-center rounded-md ${tone}`}>
          <Icon name={icon} size={14} />
        </span>
        <span className="min-w-0 flex-1 leading-snug">
          <span className="line-clamp-2 break-words">{gist || title}</span>
          <span className="block truncate text-faint text-small">
            {title}
            {times > 1 && `, ${times} times`}
          </span>
        </span>
        <time dateTime={entry.event.timestamp} className="tabular whitespace-nowrap text-faint text-small">
          {clockTime(entry.event.timestamp, now).replace(/:\d\d$/, (end) => (end.length === 3 ? '' : end))}
        </time>
      </Link>
    </li>
  );
}
