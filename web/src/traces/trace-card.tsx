import { familyHue } from '../journal/event-words.ts';
import { counted, seconds } from '../numbers.ts';
import { Badge } from '../ui/badge.tsx';
import { Icon } from '../ui/icon.tsx';
import { ShortId } from '../ui/short-id.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import type { Span } from './queries.ts';
import type { Waterfall, WaterfallRow } from './waterfall.ts';

interface TraceCardProps {
  readonly trace: Waterfall<Span>;
  readonly onOpen: (spanId: string) => void;
}

const TICKS = [0, 0.25, 0.5, 0.75];
const COLUMNS =
  'grid grid-cols-[minmax(0,1fr)_4.5rem] gap-x-3 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_4.5rem]';

/** One trace as a waterfall: who did what, when, for how long, and where it failed. */
export function TraceCard({ trace, onOpen }: TraceCardProps) {
  const errors = trace.rows.filter(({ span }) => span.status === 'error').length;
  return (
    <article
      aria-label={`Trace ${trace.traceId}`}
      className="overflow-hidden rounded-card border border-line bg-surface shadow-card"
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
        <h2 className="min-w-0 truncate font-semibold">{trace.rows[0]?.span.name ?? 'Trace'}</h2>
        {errors > 0 && (
          <Badge tone="bad" icon="warning">
            {counted(errors, 'error')}
          </Badge>
        )}
        <span className="flex items-center gap-3 text-faint text-small sm:ml-auto">
          <span className="tabular">{seconds(trace.duration)}</span>
          <TimeAgo at={trace.startedAt} />
          <ShortId value={trace.traceId} label="the trace’s id" />
        </span>
      </header>
      <div aria-hidden="true" className={`${COLUMNS} border-line border-y bg-sunken/60 px-4 py-1`}>
        <span className="text-faint text-tiny">Agent and span</span>
        <span className="relative hidden md:block">
          {TICKS.map((tick) => (
            <span
              key={tick}
              className="tabular absolute border-line border-l pl-1 text-faint text-tiny"
              style={{ left: `${tick * 100}%` }}
            >
              {tick === 0 ? '0' : seconds(trace.duration * tick)}
            </span>
          ))}
        </span>
        <span className="text-right text-faint text-tiny">Took</span>
      </div>
      <ul aria-label="Spans" className="py-1">
        {trace.rows.map((row) => (
          <SpanRow key={row.span.span_id} row={row} onOpen={() => onOpen(row.span.span_id)} />
        ))}
      </ul>
    </article>
  );
}

function SpanRow({ row, onOpen }: { row: WaterfallRow<Span>; onOpen: () => void }) {
  const { span, depth, from, share } = row;
  const failed = span.status === 'error';
  const hue = familyHue(span.service);
  return (
    <li>
      <button
        type="button"
        onClick={onOpen}
        className={`${COLUMNS} w-full items-center px-4 py-1 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2`}
      >
        <span
          className="flex min-w-0 items-center gap-2"
          style={{ paddingLeft: `${Math.min(depth, 8) * 0.875}rem` }}
        >
          <span
            aria-hidden="true"
            className="size-2 shrink-0 rounded-full"
            style={{ background: `oklch(0.66 0.13 ${hue})` }}
          />
          <span className="min-w-0 truncate" title={`${span.service}: ${span.name}`}>
            <span className="font-medium">{span.service}</span>{' '}
            <span className="text-small text-soft">{span.name}</span>
          </span>
          {failed && (
            <span className="shrink-0 text-bad" title={span.status_message}>
              <Icon name="warning" size={15} />
              <span className="sr-only">failed: {span.status_message}</span>
            </span>
          )}
        </span>
        <span aria-hidden="true" className="relative order-last col-span-2 h-4 md:order-none md:col-span-1">
          <span
            className={`absolute inset-y-0.5 min-w-0.5 rounded-sm ${failed ? 'bg-bad' : ''}`}
            style={{
              left: `${from * 100}%`,
              width: `${share * 100}%`,
              ...(!failed && { background: `oklch(0.66 0.13 ${hue})` }),
            }}
          />
        </span>
        <span className="tabular text-right text-small text-soft">{seconds(span.duration_ms)}</span>
      </button>
    </li>
  );
}
