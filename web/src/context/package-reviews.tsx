import { useQuery } from '@tanstack/react-query';
import { kindWords } from '../inbox/state-words.ts';
import { ActorName } from '../ui/actor-name.tsx';
import { Badge } from '../ui/badge.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { ShortId } from '../ui/short-id.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { reviewsQuery } from './queries.ts';

export function PackageReviews({ project, id }: { project: string; id: string }) {
  const query = useQuery(reviewsQuery(project, id));
  return (
    <QueryView query={query}>
      {({ entries, intact }) =>
        entries.length === 0 ? (
          <p className="text-soft">It was never reviewed, and no review was requested.</p>
        ) : (
          <>
            <Badge tone={intact ? 'good' : 'bad'} icon={intact ? 'check' : 'warning'}>
              {intact ? 'Each entry carries the hash of the previous one' : 'The log was changed'}
            </Badge>
            <ol className="mt-3 flex flex-col gap-4">
              {entries.map((entry) => (
                <li key={entry.seq} className="border-line border-l-2 pl-3">
                  <p className="font-medium">
                    {kindWords(entry.from)} → {kindWords(entry.to)}
                  </p>
                  <p className="flex flex-wrap items-center gap-x-3 text-small text-soft">
                    <ActorName id={entry.actor.id} type={entry.actor.type} />
                    <TimeAgo at={entry.at} />
                    <ShortId value={entry.entry_hash} label="the entry’s hash" />
                  </p>
                  {entry.note && <p className="mt-1 whitespace-pre-wrap break-words">{entry.note}</p>}
                </li>
              ))}
            </ol>
          </>
        )
      }
    </QueryView>
  );
}
