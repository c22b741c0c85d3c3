import { useQuery } from '@tanstack/react-query';
import { maySee, useMe } from '../api/session.ts';
import { useWaitingCount } from '../inbox/use-waiting-count.ts';
import { useRefresh } from '../live/use-refresh.ts';
import { useProject } from '../projects/use-project.ts';
import { useNow } from '../ui/time-ago.tsx';
import { AtWorkCard } from './at-work-card.tsx';
import { deadlineOf } from './deadline.ts';
import { Headline } from './headline.tsx';
import { lanesOf, liveAgents } from './lanes.ts';
import { LiveJournalCard } from './live-journal-card.tsx';
import { NextSteps } from './next-steps.tsx';
import { OverTime } from './over-time.tsx';
import { lanesQuery, liveQuery, waitingQuery } from './queries.ts';
import { useSeen } from './seen.ts';
import { SinceCard } from './since-card.tsx';
import { useSteps } from './use-steps.ts';
import { VerificationCard } from './verification-card.tsx';
import { WaitsCard } from './waits-card.tsx';

/** What one wants to know at a glance: who works, what waits, what changed. */
export function HomePage() {
  const me = useMe();
  const [project] = useProject();
  const now = useNow();
  const seen = useSeen(project);
  const reads = maySee(me, 'journal:read');
  const decides = maySee(me, 'inbox:read');
  const lanesRead = useQuery({ ...lanesQuery(project), enabled: reads });
  const live = useQuery({ ...liveQuery(project), enabled: maySee(me, 'sessions:read') });
  const waiting = useQuery({ ...waitingQuery(project), enabled: decides });
  const counts = useWaitingCount();
  useRefresh(['activity', project]);
  const items = waiting.data?.items;
  const lanes = lanesOf(lanesRead.data?.items ?? [], live.data?.sessions ?? [], items ?? [], now);
  const pressing = (items ?? []).filter(({ expires_at }) => deadlineOf(expires_at, now) === 'hour').length;
  const steps = useSteps(project);
  // Charts of nothing explain nothing: until somebody has worked, what to do comes first.
  const idle = lanesRead.data !== undefined && lanes.length === 0;
  const unused = idle && lanesRead.data.items.every(({ actor_type }) => actor_type !== 'agent');
  return (
    <>
      <Headline
        agents={lanesRead.data && liveAgents(lanes, now)}
        waiting={counts?.mine}
        pressing={pressing}
      />
      {idle && steps.length > 0 && (
        <div className="mb-4">
          <NextSteps steps={steps} wide />
        </div>
      )}
      {reads && <AtWorkCard activity={lanesRead.data} lanes={lanes} />}
      <div className="mt-4 grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,7fr)_minmax(0,4fr)]">
        {decides && (
          <WaitsCard
            items={items}
            total={waiting.data?.total ?? 0}
            elsewhere={Math.max(0, (counts?.mine ?? 0) - (waiting.data?.total ?? 0))}
            others={counts?.others ?? 0}
          />
        )}
        {reads && <SinceCard project={project} seen={seen} />}
      </div>
      {reads && !(unused && steps.length > 1) && <OverTime project={project} seen={seen} />}
      <div className="mt-4 grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <LiveJournalCard />
        <div className="flex min-w-0 flex-col gap-4">
          {!idle && <NextSteps steps={steps} />}
          {maySee(me, 'journal:verify') && <VerificationCard />}
        </div>
      </div>
    </>
  );
}
