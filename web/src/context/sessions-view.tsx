import { useQuery } from '@tanstack/react-query';
import { firstPage, useListPlace } from '../list-place.ts';
import { counted } from '../numbers.ts';
import { useParams } from '../search-params.ts';
import { ActorName } from '../ui/actor-name.tsx';
import { Badge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { CommandLine } from '../ui/command-line.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Pager } from '../ui/pager.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { ShortId } from '../ui/short-id.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { countsQuery, sessionsQuery } from './queries.ts';
import type { ViewProps } from './view-props.ts';

export function SessionsView({ project, onOpen }: ViewProps) {
  const [params, change] = useParams();
  const place = useListPlace();
  const callsign = params.q;
  const query = useQuery(sessionsQuery(project, { offset: place.at, callsign }));
  const total = useQuery(countsQuery(project)).data?.sessions;
  return (
    <>
      <search className="mb-3 block max-w-md">
        <SearchBox
          label="Find by callsign"
          hideLabel
          placeholder="Callsign, as it was announced"
          words={callsign ?? ''}
          onSearch={(q) => change({ q: q || undefined, ...firstPage() }, { replace: true })}
        />
      </search>
      <Card flush>
        <QueryView query={query} rows={5} rowClassName="h-14">
          {(sessions) =>
            sessions.length === 0 && callsign ? (
              <EmptyState icon="search" title="No session has this callsign" />
            ) : sessions.length === 0 && place.at === 0 ? (
              <EmptyState icon="clock" title="No session yet">
                A session is one stretch of work, with a callsign that people can say aloud.
                <div className="mt-4 text-left">
                  <CommandLine command={`npx baton-ledger session start ${project}`} />
                </div>
              </EmptyState>
            ) : (
              <>
                <ul aria-label="Sessions, newest first" className="divide-y divide-line">
                  {sessions.map((session) => (
                    <li
                      key={session.session_id}
                      className="grid grid-cols-1 items-center gap-x-4 gap-y-1 px-4 py-2.5 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_7rem_8rem]"
                    >
                      <span className="min-w-0">
                        <span className="block font-medium">{session.callsign ?? 'without a callsign'}</span>
                        <ShortId value={session.session_id} label="the session’s id" />
                      </span>
                      <span className="min-w-0 text-small">
                        <ActorName id={session.actor_id} type={session.actor_type} />
                        <span className="block text-faint">
                          {session.packages_deposited.length === 0
                            ? 'no package'
                            : counted(session.packages_deposited.length, 'package')}
                          {session.packages_deposited.slice(0, 1).map((id) => (
                            <button
                              key={id}
                              type="button"
                              onClick={() => onOpen(id)}
                              className="ml-2 font-medium text-accent hover:underline"
                            >
                              open
                            </button>
                          ))}
                        </span>
                      </span>
                      <span>
                        {session.ended_at ? (
                          <Badge>Ended</Badge>
                        ) : (
                          <Badge tone="good" icon="clock">
                            Active
                          </Badge>
                        )}
                      </span>
                      <span className="text-faint text-small sm:text-right">
                        <TimeAgo at={session.ended_at ?? session.started_at} />
                      </span>
                    </li>
                  ))}
                </ul>
                {!callsign && (
                  <Pager
                    label="sessions"
                    at={place.at}
                    shown={sessions.length}
                    total={total}
                    first="Newest"
                    next="Older"
                    busy={query.isPlaceholderData}
                    onFirst={place.first}
                    onNext={
                      total && place.at + sessions.length < total.count
                        ? () => place.next('', sessions.length)
                        : undefined
                    }
                  />
                )}
              </>
            )
          }
        </QueryView>
      </Card>
    </>
  );
}
