import { BatonRequestError } from '@baton-ledger/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { maySee, useMe } from '../api/session.ts';
import { useWaitingCount, type Waiting } from '../inbox/use-waiting-count.ts';
import { useLiveJournal } from '../live/use-live-journal.ts';
import { count } from '../numbers.ts';
import type { Tone } from '../ui/badge.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { duration } from '../ui/time-words.ts';
import { checkpointQuery, healthQuery } from './queries.ts';

export function StatusTiles() {
  const me = useMe();
  return (
    <div className="grid grid-cols-2 gap-3 xl:grid-cols-4">
      <ServerTile />
      {maySee(me, 'journal:read') && <JournalTile />}
      {maySee(me, 'journal:read') && <CheckpointTile />}
      {maySee(me, 'inbox:read') && <WaitingTile />}
    </div>
  );
}

const figures = { healthy: 'Healthy', degraded: 'Degraded', unhealthy: 'Unhealthy' } as const;

function ServerTile() {
  const { data, error } = useQuery(healthQuery);
  const { state } = useLiveJournal();
  const gone = error !== null || state === 'lost';
  const well = data?.status === 'healthy' && !gone;
  const store = data?.checks.store;
  return (
    <Tile
      label="Server and store"
      icon={well ? 'check' : 'warning'}
      tone={data === undefined && !gone ? 'neutral' : well ? 'good' : 'bad'}
      figure={gone ? 'No response' : data && figures[data.status]}
      note={
        gone
          ? 'Trying again; nothing is lost.'
          : data && `${store?.message ?? 'store'} · up ${duration(data.uptime_seconds * 1000)}`
      }
    />
  );
}

function JournalTile() {
  const { total, entries } = useLiveJournal();
  const newest = entries[0];
  return (
    <Tile
      label="Journal events"
      icon="journal"
      to="/journal"
      figure={total === undefined ? undefined : count(total)}
      note={
        newest ? (
          <>
            written <TimeAgo at={newest.event.timestamp} />
          </>
        ) : (
          total === 0 && 'nothing written yet'
        )
      }
    />
  );
}

function CheckpointTile() {
  const { total = 0 } = useLiveJournal();
  const { data, error } = useQuery({
    ...checkpointQuery,
    /** The server signs every few seconds while the journal grows. */
    refetchInterval: ({ state }) => ((state.data?.size ?? 0) < total ? 3_000 : 30_000),
  });
  if (error instanceof BatonRequestError && error.status === 404) {
    return (
      <Tile label="Signed checkpoint" icon="lock" figure="None yet" note="signed once there is an event" />
    );
  }
  return (
    <Tile
      label="Signed checkpoint"
      icon="lock"
      tone={error ? 'bad' : 'neutral'}
      figure={error ? 'Not signed' : data && count(data.size)}
      note={
        error
          ? error.message
          : data && (
              <span title={data.root}>
                <TimeAgo at={data.at} /> · root <code className="font-mono">{data.root.slice(0, 8)}</code>
              </span>
            )
      }
    />
  );
}

function WaitingTile() {
  const waiting = useWaitingCount();
  return (
    <Tile
      label="Waiting for you"
      icon="inbox"
      to="/inbox"
      tone={waiting && waiting.mine > 0 ? 'warn' : 'neutral'}
      figure={waiting && count(waiting.mine)}
      note={waiting && othersWords(waiting)}
    />
  );
}

function othersWords({ mine, others }: Waiting): string {
  if (others > 0) return `and ${count(others)} for others`;
  return mine > 0 ? 'in the inbox' : 'no decision is open';
}

interface TileProps {
  readonly label: string;
  readonly icon: IconName;
  readonly tone?: Tone;
  /** Left out while it is not known. */
  readonly figure: ReactNode;
  readonly note: ReactNode;
  readonly to?: string;
}

const marks: Readonly<Record<Tone, string>> = {
  neutral: 'bg-sunken text-soft',
  accent: 'bg-accent-soft text-accent',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  info: 'bg-info-soft text-info',
};

function Tile({ label, icon, tone = 'neutral', figure, note, to }: TileProps) {
  const body = (
    <>
      <span className="flex items-start justify-between gap-2">
        <span className="text-small text-soft">{label}</span>
        <span
          className={`hidden size-7 shrink-0 items-center sm:flex justify-center rounded-full ${marks[tone]}`}
        >
          <Icon name={icon} size={16} />
        </span>
      </span>
      <span className="tabular block truncate font-semibold text-figure tracking-tight">
        {figure ?? <Skeleton className="my-1.5 h-5 w-20" />}
      </span>
      <span className="block h-5 truncate text-faint text-small">
        {note || (figure === undefined && <Skeleton className="mt-1 h-3 w-32" />)}
      </span>
    </>
  );
  const shape = 'block min-w-0 rounded-card border border-line bg-surface p-3.5 shadow-card sm:p-4';
  return to ? (
    <Link to={to} className={`${shape} transition-colors hover:border-line-strong`}>
      {body}
    </Link>
  ) : (
    <div className={shape}>{body}</div>
  );
}
