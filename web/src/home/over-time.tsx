import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { maySee, useMe } from '../api/session.ts';
import { LazyPlot } from '../charts/lazy-plot.tsx';
import { count } from '../numbers.ts';
import { actorColor } from '../ui/actor-color.ts';
import { Card } from '../ui/card.tsx';
import { Choice } from '../ui/choice.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { duration } from '../ui/time-words.ts';
import { type Activity, overTimeQuery, SPANS, type Span } from './queries.ts';
import type { Seen } from './seen.ts';
import { SpendingCard } from './spending-card.tsx';

interface OverTimeProps {
  readonly project: string;
  readonly seen: Seen | undefined;
}

/** Below the fold, because charts explain and do not call. */
export function OverTime({ project, seen }: OverTimeProps) {
  const me = useMe();
  const [chosen, setSpan] = useState<Span>();
  const day = useQuery(overTimeQuery(project, '24h')).data;
  // A team that began just now would be a stroke at the edge of a day.
  const span = chosen ?? (day && isNew(day) ? '1h' : '24h');
  const query = useQuery({ ...overTimeQuery(project, span), placeholderData: keepPreviousData });
  const spending = maySee(me, 'trace:read');
  return (
    <section aria-label="Over time" className="mt-6">
      <header className="mb-3 flex flex-wrap items-center justify-between gap-3 px-0.5">
        <h2 className="font-semibold">
          Over time
          {seen && (
            <span className="ml-2 font-normal text-faint text-small">tinted: since you last looked</span>
          )}
        </h2>
        <Choice
          small
          label="How far back"
          options={[
            ['1h', '1 h'],
            ['24h', '24 h'],
            ['7d', '7 d'],
            ['30d', '30 d'],
          ]}
          chosen={span}
          onChange={setSpan}
        />
      </header>
      <div
        className={`grid grid-cols-1 gap-4 ${spending ? 'xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_15rem]' : 'xl:grid-cols-2'}`}
      >
        <Card title="Activity" aside={<Every activity={query.data} />}>
          <QueryView query={query} rows={4}>
            {(activity) => <ActivityChart activity={activity} since={seen?.at} />}
          </QueryView>
        </Card>
        <Card
          title="Allowed, asked, denied"
          aside={<span className="hidden text-faint text-small 2xl:inline">each on its own scale</span>}
        >
          <QueryView query={query} rows={4}>
            {(activity) => <VerdictCharts activity={activity} since={seen?.at} />}
          </QueryView>
        </Card>
        {spending && <SpendingCard project={project} span={span} />}
      </div>
    </section>
  );
}

/** Nothing happened before the last hour. */
function isNew({ items, interval_seconds }: Activity): boolean {
  const recent = Math.ceil(3_600 / interval_seconds);
  return items.length > 0 && items.every(({ events }) => events.slice(0, -recent).every((n) => n === 0));
}

function Every({ activity }: { activity: Activity | undefined }) {
  if (!activity) return null;
  return (
    <span className="text-faint text-small">
      events every {duration(activity.interval_seconds * 1000)}
      {!activity.complete && ', the newest only'}
    </span>
  );
}

interface ChartProps {
  readonly activity: Activity;
  readonly since: string | undefined;
}

const SERIES = 6;

const secondsOf = (at: string | undefined) => (at === undefined ? undefined : Date.parse(at) / 1000);

function timesOf({ from, interval_seconds, items }: Activity): number[] {
  const start = Date.parse(from) / 1000;
  const intervals = items[0]?.events.length ?? SPANS['24h'][1];
  return Array.from({ length: intervals }, (_, at) => start + at * interval_seconds);
}

function ActivityChart({ activity, since }: ChartProps) {
  const [hovered, setHovered] = useState<number>();
  const times = timesOf(activity);
  const busiest = activity.items.toSorted((a, b) => b.total - a.total);
  const others = busiest.slice(SERIES);
  const series = busiest.slice(0, SERIES).map(({ actor_id, actor_type, events }) => ({
    label: actor_id,
    color: actor_type === 'human' ? 'var(--ink-faint)' : actorColor(actor_id),
    values: events,
  }));
  if (others.length > 0) {
    series.push({
      label: `${others.length} others`,
      color: 'var(--line-strong)',
      values: times.map((_, at) => others.reduce((sum, { events }) => sum + (events[at] ?? 0), 0)),
    });
  }
  return (
    <>
      <ReadOut series={series} times={times} at={hovered} />
      <LazyPlot
        label="Events over time, by who caused them"
        times={times}
        series={series}
        kind="bars"
        height={176}
        words={count}
        since={secondsOf(since)}
        onHover={setHovered}
      />
    </>
  );
}

const verdicts = [
  ['allowed', 'var(--mark-allow)'],
  ['asked', 'var(--mark-ask)'],
  ['denied', 'var(--mark-deny)'],
] as const;

/** On one scale, twenty denials vanish beside thousands that were allowed. */
function VerdictCharts({ activity, since }: ChartProps) {
  const [hovered, setHovered] = useState<number>();
  const times = timesOf(activity);
  const series = verdicts.map(([label, color]) => ({
    label,
    color,
    values: times.map((_, at) => activity.items.reduce((sum, item) => sum + (item[label][at] ?? 0), 0)),
  }));
  return (
    <>
      <ReadOut series={series} times={times} at={hovered} />
      {series.map((each, nth) => (
        <LazyPlot
          key={each.label}
          label={`Calls ${each.label} over time`}
          times={times}
          series={[each]}
          kind="bars"
          height={nth === verdicts.length - 1 ? 72 : 52}
          words={count}
          since={secondsOf(since)}
          sync="verdicts"
          showTimes={nth === verdicts.length - 1}
          onHover={setHovered}
        />
      ))}
    </>
  );
}

interface ReadOutProps {
  readonly series: readonly {
    readonly label: string;
    readonly color: string;
    readonly values: readonly number[];
  }[];
  readonly times: readonly number[];
  readonly at: number | undefined;
}

/** Sums of the whole time, or of the interval under the pointer. */
function ReadOut({ series, times, at }: ReadOutProps) {
  const time = at === undefined ? undefined : times[at];
  return (
    <p className="mb-2 flex min-h-5 flex-wrap gap-x-4 gap-y-1 text-small text-soft">
      {series.map(({ label, color, values }) => (
        <span key={label} className="inline-flex items-center gap-1.5">
          <span aria-hidden="true" className="size-2.5 rounded-[3px]" style={{ background: color }} />
          {label}
          <span className="tabular font-semibold text-ink">
            {count(at === undefined ? values.reduce((sum, value) => sum + value, 0) : (values[at] ?? 0))}
          </span>
        </span>
      ))}
      {time !== undefined && (
        <span className="tabular ml-auto text-faint">
          {new Date(time * 1000).toLocaleString('en-GB', {
            day: 'numeric',
            month: 'short',
            hour: '2-digit',
            minute: '2-digit',
          })}
        </span>
      )}
    </p>
  );
}
