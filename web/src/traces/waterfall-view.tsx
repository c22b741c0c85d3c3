import { useQueries, useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { count, counted, dollars, seconds } from '../numbers.ts';
import { actorColor } from '../ui/actor-color.ts';
import { Badge } from '../ui/badge.tsx';
import { Icon } from '../ui/icon.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { AgentLabel } from './agent-label.tsx';
import { ROWS, type Waterfall, type WaterfallRow, waterfallAroundQuery, waterfallQuery } from './queries.ts';

interface WaterfallViewProps {
  readonly project: string;
  readonly traceId: string;
  readonly span: string | undefined;
  readonly onOpen: (spanId: string) => void;
}

const TICKS = [0, 0.25, 0.5, 0.75];
const ROW = 30;
const COLUMNS =
  'grid grid-cols-[minmax(0,1fr)_4.5rem] gap-x-3 md:grid-cols-[minmax(0,5fr)_minmax(0,5fr)_3.5rem_4rem_3.5rem]';

/** Where the time of one trace went. Only the rows in sight are read and drawn, however many there are. */
export function WaterfallView(props: WaterfallViewProps) {
  const { project, traceId } = props;
  const query = useQuery(waterfallQuery(project, traceId, 0));
  return (
    <article
      aria-label={`Trace ${traceId}`}
      className="min-w-0 overflow-hidden rounded-card border border-line bg-surface shadow-card"
    >
      <QueryView query={query} rows={8}>
        {(trace) => <Drawn trace={trace} {...props} />}
      </QueryView>
    </article>
  );
}

function Drawn({ trace, project, traceId, span, onOpen }: { trace: Waterfall } & WaterfallViewProps) {
  const scroller = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: trace.spans,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  const inSight = virtual.getVirtualItems();
  const rowAt = useRows(
    project,
    traceId,
    trace,
    inSight.map(({ index }) => index),
  );
  const chosen = useChosen(project, traceId, trace, span);
  useEffect(() => {
    if (chosen >= 0) virtual.scrollToIndex(chosen, { align: 'auto' });
  }, [chosen, virtual]);
  const nextFailed = trace.failed.find(({ row }) => row > chosen) ?? trace.failed[0];
  const tokens = trace.usage.input_tokens + trace.usage.output_tokens;
  return (
    <>
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
        <h2 className="font-semibold">Where the time went</h2>
        <span className="text-faint text-small">
          {counted(trace.spans, 'span')} in {seconds(trace.duration_ms)}
          {!trace.complete && ', the first of them'}
        </span>
        {nextFailed !== undefined && (
          <button type="button" onClick={() => onOpen(nextFailed.span_id)} title="Go to the next error">
            <Badge tone="bad" icon="warning">
              {counted(trace.errors, 'error')}
            </Badge>
          </button>
        )}
        <span className="tabular text-small text-soft sm:ml-auto">
          {tokens > 0 && `${count(tokens)} tokens`}
          {trace.usage.cost_usd > 0 && ` · ${dollars(trace.usage.cost_usd)}`}
        </span>
      </header>
      <OwnTime times={trace.own_time} />
      <div
        aria-hidden="true"
        className={`${COLUMNS} border-line border-y bg-sunken/60 px-4 py-1 text-faint text-tiny`}
      >
        <span>From and to, or what ran</span>
        <span className="relative hidden md:block">
          {TICKS.map((tick) => (
            <span
              key={tick}
              className="tabular absolute border-line border-l pl-1"
              style={{ left: `${tick * 100}%` }}
            >
              {tick === 0 ? '0' : seconds(trace.duration_ms * tick)}
            </span>
          ))}
        </span>
        <span className="hidden text-right md:block">Tokens</span>
        <span className="hidden text-right md:block">Cost</span>
        <span className="text-right">Took</span>
      </div>
      <ScrollRegion ref={scroller} label="Waterfall" className="max-h-[32rem] py-1">
        <ul aria-label="Spans" className="relative" style={{ height: virtual.getTotalSize() }}>
          {inSight.map(({ index, start, key }) => {
            const row = rowAt(index);
            return (
              <li
                key={key}
                aria-setsize={trace.spans}
                aria-posinset={index + 1}
                className="absolute inset-x-0 top-0"
                style={{ height: ROW, transform: `translateY(${start}px)` }}
              >
                {row ? (
                  <SpanRow
                    row={row}
                    whole={trace.duration_ms}
                    chosen={row.span_id === span}
                    onOpen={() => onOpen(row.span_id)}
                  />
                ) : (
                  <Skeleton className="mx-4 h-5" />
                )}
              </li>
            );
          })}
        </ul>
      </ScrollRegion>
    </>
  );
}

/** The rows by their number; undefined until their page is read. */
function useRows(
  project: string,
  traceId: string,
  first: Waterfall,
  shown: readonly number[],
): (index: number) => WaterfallRow | undefined {
  const pages = [...new Set(shown.map((index) => Math.floor(index / ROWS)))].filter((page) => page > 0);
  const queries = useQueries({ queries: pages.map((page) => waterfallQuery(project, traceId, page)) });
  const byPage = new Map(pages.map((page, at) => [page, queries[at]?.data?.rows]));
  return (index) => (index < ROWS ? first.rows : byPage.get(Math.floor(index / ROWS)))?.[index % ROWS];
}

/** The number of the chosen row; below 0 while there is none. */
function useChosen(project: string, traceId: string, first: Waterfall, span: string | undefined): number {
  const here = first.rows.findIndex(({ span_id }) => span_id === span);
  const { data } = useQuery({
    ...waterfallAroundQuery(project, traceId, span ?? ''),
    enabled: span !== undefined && here < 0 && first.spans > ROWS,
  });
  if (here >= 0 || data === undefined) return here;
  const there = data.rows.findIndex(({ span_id }) => span_id === span);
  return there < 0 ? there : data.from + there;
}

interface SpanRowProps {
  readonly row: WaterfallRow;
  readonly whole: number;
  readonly chosen: boolean;
  readonly onOpen: () => void;
}

function SpanRow({ row, whole, chosen, onOpen }: SpanRowProps) {
  const failed = row.status === 'error';
  const tokens = (row.input_tokens ?? 0) + (row.output_tokens ?? 0);
  const share = (ms: number) => (whole > 0 ? (ms / whole) * 100 : 100);
  const color = failed ? 'var(--mark-deny)' : actorColor(row.agent);
  // What waits for what stands below it is hollow; what works itself is solid.
  const hollow = row.label.includes(' → ');
  // Whose it is, the colour of its mark says.
  const work = hollow ? undefined : (row.model ?? row.tool);
  return (
    <button
      type="button"
      aria-current={chosen}
      onClick={onOpen}
      className={`${COLUMNS} h-full w-full items-center px-4 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2 aria-current:bg-accent-soft aria-current:shadow-[inset_3px_0_0_var(--accent)] ${failed ? 'bg-bad-soft/60' : ''}`}
    >
      <span
        className="flex min-w-0 items-center gap-2"
        style={{ paddingLeft: `${Math.min(row.depth, 10) * 0.8}rem` }}
      >
        <span className="shrink-0" style={failed ? undefined : { color: actorColor(row.agent) }}>
          <Icon
            name={
              failed ? 'warning' : row.model ? 'spark' : row.tool ? 'terminal' : hollow ? 'agent' : 'trace'
            }
            size={14}
            className={failed ? 'text-bad' : ''}
          />
        </span>
        {work ? (
          <span className="min-w-0 truncate font-mono text-small" title={`${row.agent}: ${row.name}`}>
            {work}
            <span className="sr-only"> by {row.agent}</span>
          </span>
        ) : (
          <>
            <AgentLabel label={row.label} whole={!hollow} />
            <span className="min-w-0 truncate text-small text-soft" title={row.name}>
              {hollow || row.name.endsWith(` ${row.agent}`) ? '' : row.name}
            </span>
          </>
        )}
        {failed && <span className="sr-only">failed: {row.status_message}</span>}
      </span>
      <span aria-hidden="true" className="relative hidden h-4 md:block">
        <span
          className="absolute inset-y-0.5 min-w-0.75 rounded-[3px]"
          style={{
            left: `${share(row.offset_ms)}%`,
            width: `${share(row.duration_ms)}%`,
            ...(failed
              ? {
                  background: `repeating-linear-gradient(-45deg, ${color} 0 3px, transparent 3px 5px)`,
                  outline: `1px solid ${color}`,
                }
              : hollow
                ? {
                    border: `1.5px solid ${color}`,
                    background: `color-mix(in srgb, ${color} 16%, transparent)`,
                  }
                : { background: color }),
          }}
        />
      </span>
      <span className="tabular hidden text-right text-small text-soft md:block">
        {tokens > 0 && count(tokens)}
      </span>
      <span className="tabular hidden text-right text-small text-soft md:block">
        {row.cost_usd !== undefined && row.cost_usd > 0 && dollars(row.cost_usd)}
      </span>
      <span className="tabular text-right text-small text-soft">{seconds(row.duration_ms)}</span>
    </button>
  );
}

/** What each agent spent itself, without what it waited for. */
function OwnTime({ times }: { times: Waterfall['own_time'] }) {
  if (times.length < 2) return null;
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 px-4 pb-2.5 text-small text-soft">
      <span className="text-faint">Own time</span>
      {times.slice(0, 6).map(({ agent, ms }) => (
        <span key={agent} className="inline-flex items-center gap-1.5">
          <span
            aria-hidden="true"
            className="size-2.5 rounded-[3px]"
            style={{ background: actorColor(agent) }}
          />
          {agent} <span className="tabular font-semibold text-ink">{seconds(ms)}</span>
        </span>
      ))}
    </p>
  );
}
