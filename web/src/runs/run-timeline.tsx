import { actorColor } from '../ui/actor-color.ts';
import { Icon } from '../ui/icon.tsx';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import type { Turn } from './queries.ts';
import { runLanes, type TurnBar } from './run-lanes.ts';

const COLUMNS = 'grid grid-cols-[6rem_minmax(0,1fr)] items-center gap-3';

/** The turns of a run by role, in its phases; what was objected to, and what failed its check, is marked. */
export function RunTimeline({ turns, skipped }: { turns: readonly Turn[]; skipped: number }) {
  const lanes = runLanes(turns, skipped);
  if (!lanes) return null;
  return (
    <ScrollRegion label="Run over time" className="overflow-x-auto border-line border-b p-4">
      <div className="min-w-[30rem]">
        <div className={COLUMNS}>
          <span className="text-faint text-small">phase</span>
          <span className="relative block h-7">
            {lanes.phases.map(({ phase, from, to }) => (
              <span
                key={`${phase} ${from}`}
                className="absolute inset-y-0.5 truncate rounded-md bg-sunken px-2 font-medium text-small leading-6"
                style={{ left: `${from * 100}%`, width: `calc(${(to - from) * 100}% - 2px)` }}
                title={phase}
              >
                {phase}
              </span>
            ))}
          </span>
        </div>
        <ul aria-label="Turns by role">
          {lanes.roles.map(({ role, bars }) => (
            <li key={role} className={`${COLUMNS} border-line border-t py-1`}>
              <span
                className="truncate font-semibold text-small"
                title={role}
                style={{ color: actorColor(role) }}
              >
                {role}
              </span>
              <span className="relative block h-8">
                {bars.map((bar) => (
                  <Bar key={bar.turn.turn_id} bar={bar} color={actorColor(role)} />
                ))}
              </span>
            </li>
          ))}
        </ul>
        <p aria-hidden="true" className={`${COLUMNS} border-line border-t pt-1 text-faint text-tiny`}>
          <span />
          <span className="flex justify-between">
            <span>{timeWords(lanes.start)}</span>
            <span>{timeWords(lanes.end)}</span>
          </span>
        </p>
      </div>
    </ScrollRegion>
  );
}

function timeWords(at: number): string {
  return new Date(at).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
}

function Bar({ bar: { turn, number, from, to }, color }: { bar: TurnBar; color: string }) {
  const failed = turn.verification.status === 'fail';
  const objected = turn.objections.length > 0;
  return (
    <span
      title={`Turn ${number}, ${turn.phase}: ${turn.summary}`}
      className="absolute inset-y-0.5 flex min-w-6 items-center gap-1.5 overflow-hidden rounded-md border px-1.5"
      style={{
        left: `min(${from * 100}%, calc(100% - 1.5rem))`,
        width: `${(to - from) * 100}%`,
        borderColor: failed ? 'var(--bad)' : `color-mix(in srgb, ${color} 55%, transparent)`,
        background: `color-mix(in srgb, ${failed ? 'var(--bad)' : color} 12%, var(--surface))`,
      }}
    >
      <span className="tabular shrink-0 font-semibold text-small" style={{ color }}>
        {number}
      </span>
      {(failed || objected) && (
        <Icon name="warning" size={13} className={failed ? 'text-bad' : 'text-warn'} />
      )}
      <span className="truncate text-small">{turn.summary}</span>
    </span>
  );
}
