import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { maySee, useMe } from '../../api/session.ts';
import { counted } from '../../numbers.ts';
import { Button } from '../../ui/button.tsx';
import { shortDate } from '../../ui/time-words.ts';
import { withinWords } from './bound-words.ts';
import { notNow, useLater } from './later.ts';
import { type StandingAnswer, standingQuery } from './queries.ts';
import { ReplayModal } from './replay-modal.tsx';

const MOST_TICKS = 40;

/** What one always approved, offered as a rule. It changes nothing: the rule is drafted, looked at and loaded elsewhere. */
export function StandingStrip({ project }: { project: string | undefined }) {
  const me = useMe();
  const { data } = useQuery({ ...standingQuery(project), enabled: maySee(me, 'approvals:decide') });
  const isLater = useLater();
  const [replaying, setReplaying] = useState(false);
  const answer = data?.items.find(({ id }) => !isLater(id));
  if (!answer) return null;
  return (
    <section
      aria-label="A rule that your decisions suggest"
      className="mb-4 flex flex-wrap items-center gap-x-5 gap-y-3 rounded-card border border-accent/25 bg-accent-soft/60 px-4 py-3"
    >
      <Ticks times={answer.approved} />
      <p className="min-w-0 flex-1 basis-80">
        <strong className="block font-semibold">
          You approved {answer.approved} of {answer.approved} like this: make it a rule?
        </strong>
        <span className="block text-small text-soft">
          {answer.agent_id}, <code className="font-mono">{answer.action_id}</code>, {withinWords(answer)},
          since {shortDate(answer.since)}.{' '}
          {answer.waiting.length > 0 && `${counted(answer.waiting.length, 'open item')} like it. `}
          Nothing changes until you load it.
        </span>
      </p>
      <span className="flex flex-wrap gap-2">
        <Button onClick={() => setReplaying(true)}>Replay the {answer.approved}</Button>
        {maySee(me, 'atlas:read') && <DraftLink answer={answer} />}
        <Button tone="quiet" onClick={() => notNow(answer.id)}>
          Not now
        </Button>
      </span>
      {replaying && <ReplayModal answer={answer} onClose={() => setReplaying(false)} />}
    </section>
  );
}

export function DraftLink({ answer }: { answer: StandingAnswer }) {
  return (
    <Link
      to="/policies"
      search={{ view: 'workbench', project: answer.project_id, draft: answer.id } as never}
      className="inline-flex h-9 items-center whitespace-nowrap rounded-control bg-accent-solid px-3 font-medium text-on-accent hover:bg-accent-solid-hover"
    >
      Draft the rule
    </Link>
  );
}

/** One mark for each time, in rows of ten. */
function Ticks({ times }: { times: number }) {
  return (
    <span aria-hidden="true" className="grid grid-flow-row grid-cols-[repeat(20,0.25rem)] gap-[3px]">
      {Array.from({ length: Math.min(times, MOST_TICKS) }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: each is only one of them
        <span key={at} className="h-3 rounded-xs bg-good-solid" />
      ))}
    </span>
  );
}
