import { maySee, useMe } from '../api/session.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { LiveJournalCard } from './live-journal-card.tsx';
import { NextSteps } from './next-steps.tsx';
import { SinceYesterdayCard } from './since-yesterday-card.tsx';
import { StatusTiles } from './status-tiles.tsx';
import { VerificationCard } from './verification-card.tsx';
import { WaitingCard } from './waiting-card.tsx';

export function OverviewPage() {
  const me = useMe();
  return (
    <>
      <PageHeader
        title="Overview"
        lead="Everything your agents and people do with Baton is written to one journal that nobody can change unnoticed. What needs a person waits in the inbox."
      />
      <StatusTiles />
      <div className="mt-4 grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-4">
          {maySee(me, 'inbox:read') && <WaitingCard />}
          {maySee(me, 'packages:read') && <SinceYesterdayCard />}
          <LiveJournalCard />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <NextSteps />
          {maySee(me, 'journal:verify') && <VerificationCard />}
        </div>
      </div>
    </>
  );
}
