import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LazyPlot } from '../charts/lazy-plot.tsx';
import { counted, dollars, seconds } from '../numbers.ts';
import { actorColor } from '../ui/actor-color.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Card } from '../ui/card.tsx';
import { Choice } from '../ui/choice.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { agentStatsQuery, type Stats } from './queries.ts';

type Item = Stats['items'][number];

const HOUR_MS = 3_600_000;
const spans = { '24': '24 h', '168': '7 d', '720': '30 d' } as const;

/** How fast each agent answers and how often it fails, over all sessions. Whoever fails most comes first. */
export function OverTimeView({ project }: { project: string }) {
  const [hours, setHours] = useState<keyof typeof spans>('24');
  const query = useQuery(agentStatsQuery(project, Number(hours)));
  return (
    <section aria-label="Agents over time" className="flex flex-col gap-4">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-soft">
          In all sessions of the project, not only this one. Solid is the median, dashed the slowest
          twentieth.
        </p>
        <Choice
          small
          label="How far back"
          options={Object.entries(spans) as [keyof typeof spans, string][]}
          chosen={hours}
          onChange={setHours}
        />
      </header>
      <QueryView query={query} rows={6}>
        {({ items }) =>
          items.length === 0 ? (
            <Card>
              <EmptyState icon="trace" title="No span in this time" />
            </Card>
          ) : (
            <div className="grid grid-cols-1 gap-4 md:grid-cols-2 2xl:grid-cols-3">
              {items.map((item) => (
                <AgentCard key={item.key} item={item} hours={Number(hours)} />
              ))}
            </div>
          )
        }
      </QueryView>
    </section>
  );
}

/** Every interval of the time asked for, also those in which nothing ran: a line over a gap would tell of work. */
function evenly(series: NonNullable<Item['series']>, hours: number) {
  const step = (hours > 72 ? 24 : 1) * HOUR_MS;
  const byTime = new Map(series.map((each) => [Date.parse(each.at), each]));
  const [first] = byTime.keys();
  if (first === undefined) return [];
  const last = first + Math.floor((Date.now() - first) / step) * step;
  const begin = last - (Math.ceil((hours * HOUR_MS) / step) - 1) * step;
  return Array.from({ length: (last - begin) / step + 1 }, (_, at) => {
    const time = begin + at * step;
    return { time: time / 1000, sums: byTime.get(time) };
  });
}

function AgentCard({ item, hours }: { item: Item; hours: number }) {
  const series = evenly(item.series ?? [], hours);
  const color = actorColor(item.key);
  const times = series.map(({ time }) => time);
  const bad = item.errors > 0;
  return (
    <Card>
      <h3 className="flex items-center gap-2.5 pt-2 font-semibold">
        <Avatar id={item.key} type="agent" />
        <span className="min-w-0 truncate">{item.key}</span>
      </h3>
      <dl className="mt-3 mb-2 grid grid-cols-3 gap-2 [&_dd]:font-semibold [&_dd]:text-lead [&_dt]:text-faint [&_dt]:text-small">
        <div>
          <dt>p50</dt>
          <dd className="tabular">{seconds(item.p50_ms)}</dd>
        </div>
        <div>
          <dt>p95</dt>
          <dd className="tabular">{seconds(item.p95_ms)}</dd>
        </div>
        <div>
          <dt>Errors</dt>
          <dd className={`tabular ${bad ? 'text-bad' : ''}`}>
            {(item.error_rate * 100).toFixed(bad ? 1 : 0)}%
          </dd>
        </div>
      </dl>
      <LazyPlot
        label={`Latency of ${item.key} over time`}
        times={times}
        kind="lines"
        height={120}
        words={(ms) => (ms === 0 ? '0' : seconds(ms))}
        series={[
          { label: 'p50', color, values: series.map(({ sums }) => (sums?.spans ? sums.p50_ms : null)) },
          {
            label: 'p95',
            color,
            dashed: true,
            values: series.map(({ sums }) => (sums?.spans ? sums.p95_ms : null)),
          },
        ]}
      />
      <LazyPlot
        label={`Spans and failures of ${item.key} over time`}
        times={times}
        kind="bars"
        height={56}
        showTimes={false}
        words={(n) => String(Math.round(n))}
        series={[
          { label: 'failed', color: 'var(--mark-deny)', values: series.map(({ sums }) => sums?.errors ?? 0) },
          {
            label: 'went well',
            color: 'var(--line)',
            values: series.map(({ sums }) => (sums ? sums.spans - sums.errors : 0)),
          },
        ]}
      />
      <p className="mt-1 flex justify-between text-faint text-small">
        <span>{counted(item.spans, 'span')}</span>
        {item.cost_usd > 0 && <span className="tabular">{dollars(item.cost_usd)}</span>}
      </p>
    </Card>
  );
}
