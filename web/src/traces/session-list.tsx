import type { ReactNode } from 'react';
import { counted, totalOf } from '../numbers.ts';
import { Badge } from '../ui/badge.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import type { TraceSession } from './queries.ts';

interface SessionListProps {
  readonly sessions: readonly TraceSession[];
  readonly chosen: string;
  readonly onSelect: (sessionId: string) => void;
  /** Below the list: the way to the rest of it. */
  readonly children: ReactNode;
}

export function SessionList({ sessions, chosen, onSelect, children }: SessionListProps) {
  return (
    <nav
      aria-label="Sessions"
      className="overflow-hidden rounded-card border border-line bg-surface shadow-card"
    >
      <ul className="max-h-52 divide-y divide-line overflow-y-auto lg:max-h-[75vh]">
        {sessions.map((session) => (
          <li key={session.session_id}>
            <button
              type="button"
              aria-current={session.session_id === chosen}
              onClick={() => onSelect(session.session_id)}
              className="flex w-full flex-col gap-1 px-4 py-2.5 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2 aria-current:bg-accent-soft aria-current:shadow-[inset_3px_0_0_var(--accent)]"
            >
              <span className="flex w-full items-center justify-between gap-2">
                <span className="min-w-0 truncate font-medium" title={session.session_id}>
                  {session.session_id}
                </span>
                {session.errors > 0 && <Badge tone="bad">{counted(session.errors, 'error')}</Badge>}
              </span>
              <span className="flex w-full justify-between gap-2 text-small text-soft">
                <span className="truncate">
                  {totalOf({ count: session.spans, exact: true }, 'span')}, {counted(session.agents, 'agent')}
                </span>
                <TimeAgo at={session.last_at} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {children}
    </nav>
  );
}
