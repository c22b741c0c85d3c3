import { BatonRequestError } from '@baton-ledger/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { maySee, useMe } from '../api/session.ts';
import { useLiveJournal } from '../live/use-live-journal.ts';
import { count, counted } from '../numbers.ts';
import { Icon } from '../ui/icon.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { checkpointQuery, healthQuery } from './queries.ts';

interface HeadlineProps {
  readonly agents: number | undefined;
  readonly waiting: number | undefined;
  readonly pressing: number;
}

/** The answer that one comes for, as a sentence; below it how the house stands, in one line. */
export function Headline({ agents, waiting, pressing }: HeadlineProps) {
  useEffect(() => {
    document.title = waiting ? `(${count(waiting)}) Baton` : 'Baton';
  }, [waiting]);
  const me = useMe();
  const calm = waiting === 0;
  return (
    <header className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <h1 tabIndex={-1} className="font-semibold text-headline tracking-tight">
          <span className="sr-only">Home: </span>
          {agents === undefined
            ? 'Agents'
            : agents === 0
              ? 'No agent is live'
              : `${counted(agents, 'agent')} live`}
          {waiting !== undefined && (
            <>
              ,{' '}
              {calm ? (
                <span className="text-faint">nothing waits for you</span>
              ) : (
                <Link
                  to="/inbox"
                  className="underline decoration-2 decoration-line underline-offset-6 hover:decoration-current"
                >
                  {count(waiting)} {waiting === 1 ? 'waits' : 'wait'} for you
                </Link>
              )}
            </>
          )}
          {pressing > 0 && (
            <>
              ,{' '}
              <Link
                to="/inbox"
                search={{ sort: 'expiry' } as never}
                className="text-bad underline decoration-2 decoration-current/40 underline-offset-6 hover:decoration-current"
              >
                {count(pressing)} {pressing === 1 ? 'expires' : 'expire'} within the hour
              </Link>
            </>
          )}
        </h1>
        <HealthLine />
      </div>
      {maySee(me, 'keys:manage') && (
        <Link
          to="/connect"
          className="inline-flex h-9 items-center gap-2 rounded-control border border-line bg-surface px-3 font-medium shadow-card transition-colors hover:bg-hover"
        >
          <Icon name="plus" size={16} />
          Connect an agent
        </Link>
      )}
    </header>
  );
}

const words = { healthy: 'Healthy', degraded: 'Degraded', unhealthy: 'Unhealthy' } as const;

function HealthLine() {
  const me = useMe();
  const { data: health, error } = useQuery(healthQuery);
  const { state, total } = useLiveJournal();
  const gone = error !== null || state === 'lost';
  const well = health?.status === 'healthy' && !gone;
  return (
    <p className="mt-1.5 flex flex-wrap items-center text-small text-soft [&>span+span]:before:mx-2 [&>span+span]:before:text-faint [&>span+span]:before:content-['·']">
      <span
        className={`inline-flex items-center gap-2 font-semibold ${well ? 'text-good' : gone || health ? 'text-bad' : 'text-soft'}`}
      >
        <span aria-hidden="true" className="size-2 rounded-full bg-current" />
        {gone ? 'No response, trying again' : health ? words[health.status] : 'Looking'}
      </span>
      {total !== undefined && <span className="tabular">{counted(total, 'event')}</span>}
      {maySee(me, 'journal:read') && <Checkpoint total={total ?? 0} />}
    </p>
  );
}

function Checkpoint({ total }: { total: number }): ReactNode {
  const { data, error } = useQuery({
    ...checkpointQuery,
    /** The server signs every few seconds while the journal grows. */
    refetchInterval: ({ state }) => ((state.data?.size ?? 0) < total ? 3_000 : 30_000),
  });
  if (error instanceof BatonRequestError && error.status === 404)
    return <span>signed once there is an event</span>;
  if (error) return <span className="text-bad">not signed: {error.message}</span>;
  if (!data) return null;
  return (
    <span title={data.root}>
      {data.size >= total ? 'all signed' : `signed up to ${count(data.size)}`} <TimeAgo at={data.at} />
    </span>
  );
}
