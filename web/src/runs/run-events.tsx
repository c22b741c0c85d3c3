import { useQuery } from '@tanstack/react-query';
import { eventWords } from '../journal/event-words.ts';
import { FamilyDot } from '../journal/family-dot.tsx';
import { useListPlace } from '../list-place.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Pager } from '../ui/pager.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { eventsQuery } from './queries.ts';

export function RunEvents({ id }: { id: string }) {
  const place = useListPlace('rows');
  const query = useQuery(eventsQuery(id, place.at));
  return (
    <QueryView query={query} rows={6}>
      {({ rows: events, total }) =>
        total === 0 ? (
          <EmptyState icon="journal" title="No event yet" />
        ) : (
          <>
            <ul aria-label="Events, newest first" className="divide-y divide-line">
              {events.map((event) => {
                const type = event.event_type.replace('_', '.');
                const { family, title, gist } = eventWords(type, event.payload);
                return (
                  <li key={event.event_id} className="flex items-center gap-3 px-4 py-2.5">
                    <FamilyDot family={family} />
                    <span className="min-w-0 flex-1 truncate">
                      <span className="font-medium">{title}</span>
                      <span className="ml-2.5 text-small text-soft">
                        {[event.turn.role_id, event.phase, gist].filter(Boolean).join(' · ')}
                      </span>
                    </span>
                    <span className="text-faint text-small">
                      <TimeAgo at={event.timestamp} />
                    </span>
                  </li>
                );
              })}
            </ul>
            <Pager
              label="events"
              at={place.at}
              shown={events.length}
              total={total}
              first="Newest"
              next="Older"
              onFirst={place.first}
              onNext={place.at + events.length < total ? () => place.next('', events.length) : undefined}
            />
          </>
        )
      }
    </QueryView>
  );
}
