import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { count, counted, dollars, seconds } from '../numbers.ts';
import { actorColor } from '../ui/actor-color.ts';
import { Badge } from '../ui/badge.tsx';
import { Icon } from '../ui/icon.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import { AgentLabel } from './agent-label.tsx';
import { type Waterfall, type WaterfallRow, waterfallQuery } from './queries.ts';

interface WaterfallViewProps {
  readonly project: string;
  readonly traceId: string;
  readonly span: string | undefined;
  readonly onOpen: (spanId: string) => void;
}

const TICKS = [0, 0.25, 0.5, 0.75];
const ROW = 30;
const COLUMNS =
  'grid grid-cols-[minmax(0,1fr)_4.5rem] gap-x-3 md:grid-cols-[minmax(0,5fr)_minmax(0,6fr)_4rem_4rem_4.5rem]';

/** Where the time of one trace went. Only the rows in sight are drawn, however many there are. */
export function WaterfallView({ project, traceId, span, onOpen }: WaterfallViewProps) {
  const query = useQuery(waterfallQuery(project, traceId));
  return (
    <article
      aria-label={`Trace ${traceId}`}
      className="min-w-0 overflow-hidden rounded-card border border-line bg-surface shadow-card"
    >
      <QueryView query={query} rows={8}>
        {(trace) => <Drawn trace={trace} span={span} onOpen={onOpen} />}
      </QueryView>
    </article>
  );
}

function Drawn({ trace, span, onOpen }: { trace: Waterfall } & Pick<WaterfallViewProps, 'span' | 'onOpen'>) {
  const scroller = useRef<HTMLElement>(null);
  const { rows } = trace;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  const chosen = rows.findIndex(({ span_id }) => span_id === span);
  useEffect(() => {
    if (chosen >= 0) virtual.scrollToIndex(chosen, { align: 'auto' });
  }, [chosen, virtual]);
  const failed = rows.flatMap(({ status }, at) => (status === 'error' ? [at] : []));
  const nextFailed = failed.find((at) => at > chosen) ?? failed[0];
  const tokens = trace.usage.input_tokens + trace.usage.output_tokens;
  return (
    <>
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
        <h2 className="font-semibold">Where the time went</h2>
        <span className="text-faint text-small">
          {counted(rows.length, 'span')} in {seconds(trace.duration_ms)}
          {!trace.complete && ', the first of them'}
        </span>
        {nextFailed !== undefined && (
          <button
            type="button"
            onClick={() => {
              const row = rows[nextFailed];
              if (row) onOpen(row.span_id);
            }}
            title="Go to the next error"
          >
            <Badge tone="bad" icon="warning">
              {counted(failed.length, 'error')}
            </Badge>
          </button>
        )}
        <span className="tabular text-small text-soft sm:ml-auto">
          {tokens > 0 && `${count(tokens)} tokens`}
          {trace.usage.cost_usd > 0 && ` · ${dollars(trace.usage.cost_usd)}`}
        </span>
      </header>
      <OwnTime rows={rows} />
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
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const row = rows[index];
            return (
              row && (
                <li
                  key={key}
                  aria-setsize={rows.length}
                  aria-posinset={index + 1}
                  className="absolute inset-x-0 top-0"
                  style={{ height: ROW, transform: `translateY(${start}px)` }}
                >
                  <SpanRow
                    row={row}
                    whole={trace.duration_ms}
                    chosen={row.span_id === span}
                    onOpen={() => onOpen(row.span_id)}
                  />
                </li>
              )
            );
          })}
        </ul>
      </ScrollRegion>
    </>
  );
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
  const doing = row.model ?? row.tool;
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
        <Icon
          name={failed ? 'warning' : row.model ? 'spark' : row.tool ? 'terminal' : hollow ? 'agent' : 'trace'}
          size={14}
          className={failed ? 'text-bad' : ''}
          color={failed ? undefined : actorColor(row.agent)}
        />
        {doing !== undefined && !hollow ? (
          <span className="min-w-0 truncate font-mono text-small" title={`${row.agent}: ${row.name}`}>
            <span className="sr-only">{row.agent}: </span>
            {doing}
          </span>
        ) : (
          <>
            <AgentLabel label={row.label} whole={!hollow} />
            {!hollow && (
              <span className="min-w-0 truncate text-small text-soft" title={row.name}>
                {row.name}
              </span>
            )}
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
function OwnTime({ rows }: { rows: readonly WaterfallRow[] }) {
  const below = new Map<string, number>();
  for (const { parent_span_id, duration_ms } of rows) {
    if (parent_span_id) below.set(parent_span_id, (below.get(parent_span_id) ?? 0) + duration_ms);
  }
  const own = new Map<string, number>();
  for (const { agent, span_id, duration_ms } of rows) {
    own.set(agent, (own.get(agent) ?? 0) + Math.max(0, duration_ms - (below.get(span_id) ?? 0)));
  }
  const busiest = [...own].sort(([, a], [, b]) => b - a).slice(0, 6);
  if (busiest.length < 2) return null;
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 px-4 pb-2.5 text-small text-soft">
      <span className="text-faint">Own time</span>
      {busiest.map(([agent, ms]) => (
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
