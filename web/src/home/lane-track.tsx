import { counted } from '../numbers.ts';
import type { Lane } from './lanes.ts';

interface LaneTrackProps {
  readonly lane: Lane;
  readonly from: string;
  readonly to: string;
  readonly color: string;
}

/** A session over time: its events as bars, what it asked, was denied and deposited as marks above. */
export function LaneTrack({ lane, from, to, color }: LaneTrackProps) {
  const { item, waitsSince, state } = lane;
  const { events, asked, denied, packages } = item;
  const last = events.findLastIndex((n) => n > 0);
  const first = Math.max(
    0,
    events.findIndex((n) => n > 0),
  );
  const highest = Math.max(1, ...events);
  const share = (at: number) => `${(at / events.length) * 100}%`;
  const start = Date.parse(from);
  const whole = Date.parse(to) - start;
  const waitsFrom = waitsSince === undefined ? undefined : Math.max(0, (waitsSince - start) / whole);
  return (
    <span
      role="img"
      aria-label={`${counted(item.total, 'event')}, ${sum(asked)} asked, ${sum(denied)} denied, ${counted(sum(packages), 'package')}`}
      className="relative block h-11 border-accent border-r-2"
    >
      <span
        className="absolute top-3 bottom-0 overflow-hidden rounded-md border"
        style={{
          left: share(first),
          width: share(last - first + 1),
          borderColor: `color-mix(in srgb, ${color} 40%, transparent)`,
          background: `color-mix(in srgb, ${color} 9%, transparent)`,
        }}
      >
        <svg
          viewBox={`${first} 0 ${Math.max(1, last - first + 1)} 1`}
          preserveAspectRatio="none"
          className="absolute inset-x-0 bottom-0 h-[55%] w-full"
          aria-hidden="true"
        >
          {events.map((n, at) =>
            n === 0 ? null : (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: the interval is its identity
                key={at}
                x={at + 0.08}
                width={0.84}
                // By the root, so that a burst does not flatten everything else.
                y={1 - Math.sqrt(n / highest)}
                height={Math.sqrt(n / highest)}
                fill={color}
                opacity={0.62}
              />
            ),
          )}
        </svg>
        <span className="absolute inset-x-2 top-0 truncate text-tiny leading-4.5" style={{ color }}>
          {item.goal ?? item.callsign}
        </span>
      </span>
      {state === 'quiet' && (
        <span
          className="absolute top-[1.7rem] right-0 border-soft border-t-2 border-dotted"
          style={{ left: share(last + 1) }}
        />
      )}
      {waitsFrom !== undefined && (
        <span
          className="hatched absolute top-3 right-0 bottom-0 min-w-1.5 rounded-r-md"
          style={{ left: `${Math.min(waitsFrom, 0.985) * 100}%` }}
        />
      )}
      <Marks counts={asked} className="rotate-45 bg-mark-ask" />
      <Marks counts={denied} className="bg-mark-deny" />
      <Marks counts={packages} className="rounded-full border-2 border-soft bg-surface" />
    </span>
  );
}

function Marks({ counts, className }: { counts: readonly number[]; className: string }) {
  return counts.map((n, at) =>
    n === 0 ? null : (
      <span
        // biome-ignore lint/suspicious/noArrayIndexKey: the interval is its identity
        key={at}
        className={`absolute top-0.5 size-2 -translate-x-1/2 ${className}`}
        style={{ left: `${((at + 0.5) / counts.length) * 100}%` }}
      />
    ),
  );
}

const TICKS = 6;

/** The clock under the lanes. */
export function LaneTimes({ from, to }: { from: string; to: string }) {
  const start = Date.parse(from);
  const whole = Date.parse(to) - start;
  return (
    <span aria-hidden="true" className="relative block h-5 text-faint text-tiny">
      {Array.from({ length: TICKS }, (_, at) => {
        const share = at / TICKS;
        const words = new Date(start + whole * share).toLocaleTimeString('en-GB', {
          hour: '2-digit',
          minute: '2-digit',
        });
        return (
          <span key={words} className="tabular absolute top-1" style={{ left: `${share * 100}%` }}>
            {words}
          </span>
        );
      })}
      <span className="absolute top-1 right-0 font-semibold text-accent">now</span>
    </span>
  );
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, n) => total + n, 0);
}
