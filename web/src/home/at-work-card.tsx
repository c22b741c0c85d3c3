import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { counted } from '../numbers.ts';
import { actorColor } from '../ui/actor-color.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { LaneTimes, LaneTrack } from './lane-track.tsx';
import type { Lane, LaneState } from './lanes.ts';
import type { Activity } from './queries.ts';

interface AtWorkCardProps {
  readonly activity: Activity | undefined;
  readonly lanes: readonly Lane[];
}

const FEW = 8;

/** One lane for each session of the last hours: what it did, what it asked, and when it was last heard of. */
export function AtWorkCard({ activity, lanes }: AtWorkCardProps) {
  const [all, setAll] = useState(false);
  const shown = all ? lanes : lanes.slice(0, FEW);
  return (
    <Card
      flush
      title={
        <>
          At work now{' '}
          {lanes.length > 0 && (
            <span className="ml-1.5 font-normal text-faint text-small">
              {counted(lanes.length, 'session')}
            </span>
          )}
        </>
      }
      aside={lanes.length > 0 && <Legend />}
    >
      {activity === undefined ? (
        <div role="status" aria-label="Loading" className="flex flex-col gap-4 p-4">
          {[0, 1, 2].map((row) => (
            <Skeleton key={row} className="h-10 w-full" />
          ))}
        </div>
      ) : lanes.length === 0 ? (
        <EmptyState icon="agent" title="Nobody has worked in the last three hours">
          An agent that is connected appears here as soon as it calls.{' '}
          <TextLink to="/connect">Connect an agent</TextLink>
        </EmptyState>
      ) : (
        <>
          <ul aria-label="At work now" className="mt-1 border-line border-t">
            {shown.map((lane) => (
              <LaneRow key={lane.item.session_id} lane={lane} activity={activity} />
            ))}
          </ul>
          <div className="hidden gap-4 px-4 pb-2.5 lg:grid lg:grid-cols-[11rem_minmax(0,1fr)_14rem]">
            <span />
            <LaneTimes from={activity.from} to={activity.to} />
            <span />
          </div>
          {lanes.length > FEW && (
            <p className="border-line border-t px-4 py-2">
              <Button tone="quiet" onClick={() => setAll(!all)}>
                {all ? 'Fewer' : `${lanes.length - FEW} more`}
              </Button>
            </p>
          )}
        </>
      )}
    </Card>
  );
}

const states: Readonly<Record<LaneState, { words: string; className: string }>> = {
  working: { words: 'Working', className: 'text-good' },
  waits: { words: 'Waits for you', className: 'text-warn' },
  quiet: { words: 'No sign of life', className: 'text-soft' },
  ended: { words: 'Ended', className: 'text-faint' },
};

function LaneRow({ lane, activity }: { lane: Lane; activity: Activity }) {
  const { item, state, what, client, lastAt } = lane;
  const { words, className } = states[state];
  return (
    <li className="border-line border-b last:border-b-0">
      <Link
        to="/why"
        search={{ id: item.session_id ?? '' } as never}
        className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1.5 px-4 py-2 transition-colors hover:bg-hover focus-visible:-outline-offset-2 lg:grid-cols-[11rem_minmax(0,1fr)_14rem]"
      >
        <span className="flex min-w-0 items-center gap-2.5">
          <Avatar id={item.actor_id} type={item.actor_type} />
          <span className="min-w-0 leading-tight">
            <span className="block truncate font-semibold">{item.actor_id}</span>
            <span className="block truncate text-faint text-small">
              {client ?? item.callsign ?? (item.goal ? item.actor_type : 'outside any session')}
            </span>
          </span>
        </span>
        <span className="order-last col-span-2 min-w-0 lg:order-none lg:col-span-1">
          <LaneTrack lane={lane} from={activity.from} to={activity.to} color={actorColor(item.actor_id)} />
        </span>
        <span className="min-w-0 text-right leading-tight lg:text-left">
          <span className="flex flex-col items-end gap-x-3 lg:flex-row lg:items-baseline lg:justify-between">
            <span className={`font-semibold ${className}`}>{words}</span>
            <span className="text-faint text-small">
              <TimeAgo at={new Date(lastAt).toISOString()} />
            </span>
          </span>
          <span className="hidden truncate text-small text-soft lg:block" title={what}>
            {what}
          </span>
        </span>
      </Link>
    </li>
  );
}

function Legend() {
  return (
    <span aria-hidden="true" className="hidden flex-wrap items-center gap-x-4 text-faint text-small sm:flex">
      <span className="inline-flex items-center gap-1.5">
        <span className="size-2 rotate-45 bg-mark-ask" /> asked
      </span>
      <span className="inline-flex items-center gap-1.5">
        <span className="size-2 bg-mark-deny" /> denied
      </span>
      <span className="inline-flex items-center gap-1.5">
        <span className="size-2 rounded-full border-2 border-soft" /> package
      </span>
      <span className="inline-flex items-center gap-1.5">
        <span className="hatched h-2.5 w-5 rounded-xs" /> waits for a person
      </span>
    </span>
  );
}
