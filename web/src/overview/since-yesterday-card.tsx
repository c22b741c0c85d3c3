import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { maySee, useMe } from '../api/session.ts';
import { sessionsQuery } from '../context/queries.ts';
import { counted } from '../numbers.ts';
import { ActorName } from '../ui/actor-name.tsx';
import { Badge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { type Digest, sinceYesterdayQuery } from './queries.ts';

const DECISIONS = 3;
const SESSIONS = 4;

/** What a person wants to know who comes back after a night. */
export function SinceYesterdayCard() {
  const query = useQuery(sinceYesterdayQuery);
  return (
    <Card
      flush
      title="Since yesterday"
      aside={
        <Link to="/context" className="font-medium text-accent text-small underline-offset-4 hover:underline">
          Open the context
        </Link>
      }
    >
      <QueryView query={query} rows={3}>
        {(digest) => <DigestBody digest={digest} />}
      </QueryView>
      <LastSessions />
    </Card>
  );
}

function DigestBody({ digest }: { digest: Digest }) {
  const { packages, decisions, questions, actors } = digest;
  if (packages === 0)
    return <p className="px-4 pb-4 text-soft">Nobody has deposited anything in the last day.</p>;
  return (
    <>
      <p className="flex flex-wrap gap-x-4 gap-y-1 px-4 pb-3 text-soft">
        <span>{counted(packages, 'package')}</span>
        <span>{counted(questions, 'open question')}</span>
        <span className="text-faint">by {authorsOf(actors)}</span>
      </p>
      {decisions.length > 0 && (
        <ul aria-label="Decided since yesterday" className="divide-y divide-line border-line border-t">
          {decisions.slice(0, DECISIONS).map((each) => (
            <li key={`${each.package_id} ${each.decision}`}>
              <Link
                to="/context"
                search={{ project: each.project_id, package: each.package_id } as never}
                className="block px-4 py-2.5 transition-colors hover:bg-hover focus-visible:-outline-offset-2"
              >
                <span className="block break-words">{each.decision}</span>
                <span className="block text-faint text-small">
                  {each.by.id}, <TimeAgo at={each.at} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const NAMED = 5;

function authorsOf(actors: Digest['actors']): string {
  const names = actors.slice(0, NAMED).map(([actor]) => actor.slice(actor.indexOf(':') + 1));
  const others = actors.length - names.length;
  return others > 0 ? `${names.join(', ')} and ${counted(others, 'other')}` : names.join(', ');
}

function LastSessions() {
  const me = useMe();
  const { data = [] } = useQuery({
    ...sessionsQuery(me.default_project, { limit: SESSIONS }),
    enabled: maySee(me, 'sessions:read'),
  });
  if (data.length === 0) return null;
  return (
    <section aria-label="Last sessions" className="border-line border-t">
      <h3 className="px-4 pt-3 pb-1 font-medium text-faint text-small">Last sessions</h3>
      <ul className="pb-2">
        {data.map((session) => (
          <li key={session.session_id} className="flex flex-wrap items-center gap-x-3 px-4 py-1.5">
            <span className="font-medium">{session.callsign ?? 'unnamed'}</span>
            <span className="min-w-0 text-small text-soft">
              <ActorName id={session.actor_id} type={session.actor_type} />
            </span>
            {session.ended_at === null && <Badge tone="good">Active</Badge>}
            <span className="ml-auto text-faint text-small">
              {session.packages_deposited.length > 0 &&
                `${counted(session.packages_deposited.length, 'package')}, `}
              <TimeAgo at={session.ended_at ?? session.started_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
