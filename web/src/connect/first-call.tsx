import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { useRefresh } from '../live/use-refresh.ts';
import { counted } from '../numbers.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Card } from '../ui/card.tsx';
import { Icon } from '../ui/icon.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';

interface FirstCallProps {
  readonly project: string;
  readonly actor: string;
  /** What was written before was another key's. */
  readonly since: string;
}

const LOOK_MS = 2_000;

/** Waits until the agent is heard of, and says so. */
export function FirstCall({ project, actor, since }: FirstCallProps) {
  const key = ['activity', project, 'first-call', actor];
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      client.call('agents.activity', { project_id: project, by: 'actor', hours: 1, limit: 100 }, { signal }),
    refetchInterval: LOOK_MS,
  });
  useRefresh(key);
  const heard = data?.items.find(({ actor_id, last_at }) => actor_id === actor && last_at >= since);
  return (
    <Card title="4. It calls">
      <div role="status" className="flex items-center gap-3">
        <Avatar id={actor} type="agent" />
        {heard ? (
          <>
            <span className="min-w-0 flex-1">
              <strong className="text-good">It called.</strong> {counted(heard.total, 'event')} by {actor},
              the last <TimeAgo at={heard.last_at} />. <TextLink to="/">See it at work</TextLink>
            </span>
            <Icon name="check" className="text-good" />
          </>
        ) : (
          <>
            <span className="min-w-0 flex-1 text-soft">
              Waiting for {actor}. This line changes the moment it does something that is recorded.
            </span>
            <Spinner />
          </>
        )}
      </div>
    </Card>
  );
}
