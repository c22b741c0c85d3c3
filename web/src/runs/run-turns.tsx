import { useQuery } from '@tanstack/react-query';
import { useListPlace } from '../list-place.ts';
import { counted, seconds } from '../numbers.ts';
import { Badge } from '../ui/badge.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Pager } from '../ui/pager.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { type Turn, turnsQuery } from './queries.ts';
import { RunTimeline } from './run-timeline.tsx';

export function RunTurns({ id }: { id: string }) {
  const place = useListPlace('rows');
  const query = useQuery(turnsQuery(id, place.at));
  return (
    <QueryView query={query} rows={3} rowClassName="h-16">
      {({ rows: turns, total }) =>
        total === 0 ? (
          <EmptyState icon="run" title="No turn has been accepted yet">
            A role hands in its work, and what the gates say about it is kept here.
          </EmptyState>
        ) : (
          <>
            <RunTimeline turns={turns} skipped={Math.max(0, total - place.at - turns.length)} />
            <ul aria-label="Turns, newest first" className="divide-y divide-line">
              {turns.map((turn) => (
                <TurnRow key={turn.turn_id} turn={turn} />
              ))}
            </ul>
            <Pager
              label="turns"
              at={place.at}
              shown={turns.length}
              total={total}
              first="Newest"
              next="Older"
              onFirst={place.first}
              onNext={place.at + turns.length < total ? () => place.next('', turns.length) : undefined}
            />
          </>
        )
      }
    </QueryView>
  );
}

function TurnRow({ turn }: { turn: Turn }) {
  const verified = turn.verification.status;
  return (
    <li className="px-4 py-3">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone="accent">{turn.role}</Badge>
        <Badge>{turn.phase}</Badge>
        {verified === 'pass' && (
          <Badge tone="good" icon="check">
            Verified
          </Badge>
        )}
        {verified === 'fail' && (
          <Badge tone="bad" icon="cross">
            Verification failed
          </Badge>
        )}
        {(turn.attempt ?? 1) > 1 && <Badge tone="warn">attempt {turn.attempt}</Badge>}
        <span className="ml-auto text-faint text-small">
          {turn.duration_ms !== undefined && `${seconds(turn.duration_ms)}, `}
          <TimeAgo at={turn.accepted_at} />
        </span>
      </p>
      <p className="mt-1.5 break-words">{turn.summary}</p>
      {turn.files_changed.length > 0 && (
        <details className="mt-1">
          <summary className="w-fit text-small text-soft hover:text-ink">
            {counted(turn.files_changed.length, 'file')} changed
          </summary>
          <ul className="mt-1 pl-4 font-mono text-small text-soft">
            {turn.files_changed.map((path) => (
              <li key={path} className="break-all">
                {path}
              </li>
            ))}
          </ul>
        </details>
      )}
      {turn.objections.map((objection) => (
        <p key={objection.id} className="mt-1 text-small text-warn">
          Objection, {objection.severity}: {objection.statement}
        </p>
      ))}
    </li>
  );
}
