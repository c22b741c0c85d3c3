import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { count, counted } from '../numbers.ts';
import { Avatar } from '../ui/avatar.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import type { Impact } from './queries.ts';

interface ImpactCardProps {
  readonly query: UseQueryResult<Impact>;
  /** The draft cannot be loaded now: what is shown is of before. */
  readonly waiting: boolean;
}

/** What was really decided, decided again by the draft. */
export function ImpactCard({ query, waiting }: ImpactCardProps) {
  const { data, error, isFetching } = query;
  return (
    <section
      aria-label="Impact"
      aria-busy={isFetching}
      className={`mt-4 rounded-card border border-line bg-surface shadow-card transition-opacity ${waiting || isFetching ? 'opacity-70' : ''}`}
    >
      {data ? (
        <Shown impact={data} waiting={waiting} />
      ) : error ? (
        <div className="p-4">
          <ErrorNote error={error} onRetry={() => void query.refetch()} />
        </div>
      ) : waiting ? (
        <p className="p-4 text-soft">
          Once the draft can be loaded, the recorded decisions are decided again with it.
        </p>
      ) : (
        <div role="status" aria-label="Deciding again" className="p-4">
          <Skeleton className="h-6 w-80 max-w-full" />
        </div>
      )}
    </section>
  );
}

function Shown({ impact, waiting }: { impact: Impact; waiting: boolean }) {
  const { decisions, changed_count, changed, summary, skipped } = impact;
  return (
    <>
      <header className="p-4 pb-3">
        <h2 className="font-semibold text-lead">
          {decisions === 0 ? (
            'No recorded decision to compare with'
          ) : changed_count === 0 ? (
            `None of ${counted(decisions, 'real decision')} changes`
          ) : (
            <>
              Of {counted(decisions, 'real decision')},{' '}
              <span className="text-accent">
                {count(changed_count)} {changed_count === 1 ? 'changes' : 'change'}
              </span>
            </>
          )}
        </h2>
        <p className="mt-0.5 text-faint text-small">
          {counted(impact.calls, 'call')} and {counted(impact.requests, 'request')} in{' '}
          {counted(impact.sessions, 'session')}, decided again with {impact.version}
          {skipped > 0 && `; ${counted(skipped, 'one', 'others')} cannot be compared`}
          {waiting && '; as the draft last was'}.
        </p>
        {summary.length > 0 && (
          <ul aria-label="What changes" className="mt-3 flex flex-wrap gap-2">
            {summary.map((each) => (
              <li
                key={`${each.action_id} ${each.before} ${each.after}`}
                className="inline-flex items-center gap-2 rounded-control border border-line px-2.5 py-1 text-small"
              >
                <span className="tabular font-semibold">{count(each.calls + each.offers)}</span>
                <Verdict effect={each.before} /> <span className="text-faint">→</span>{' '}
                <Verdict effect={each.after} />
                <code className="font-mono text-faint">{each.action_id}</code>
              </li>
            ))}
          </ul>
        )}
      </header>
      {changed.length > 0 && (
        <ul
          aria-label="Decisions that change"
          className="max-h-96 divide-y divide-line overflow-y-auto border-line border-t"
        >
          {changed.map((each, at) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: one request may offer several actions, and the list never moves
              key={at}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-2 md:grid-cols-[10rem_minmax(0,1fr)_15rem_5rem]"
            >
              <span className="flex min-w-0 items-center gap-2">
                <Avatar id={each.agent_id} type="agent" size="small" />
                <span className="truncate">{each.agent_id}</span>
              </span>
              <span className="order-3 col-span-2 min-w-0 truncate md:order-none md:col-span-1">
                <code className="font-mono font-semibold text-small">{each.action_id}</code>{' '}
                <span className="text-faint text-small">
                  {each.parameters ? JSON.stringify(each.parameters) : each.kind === 'offer' ? 'offered' : ''}
                </span>
              </span>
              <span className="inline-flex items-center gap-2 text-small">
                <Verdict effect={each.before?.effect ?? 'unknown'} /> <span className="text-faint">→</span>{' '}
                <Verdict effect={each.after?.effect ?? 'unknown'} />
              </span>
              <span className="hidden text-right text-faint text-small md:block">
                <Link to="/why" search={{ id: each.session_id } as never} className="hover:text-accent">
                  <TimeAgo at={each.decided_at} />
                </Link>
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const marks: Readonly<Record<string, { words: string; mark: string }>> = {
  allow: { words: 'allowed', mark: 'rounded-full bg-mark-allow' },
  require_approval: { words: 'asked', mark: 'rotate-45 bg-mark-ask' },
  deny: { words: 'denied', mark: 'bg-mark-deny' },
};

/** Told apart by shape as well as by colour. */
function Verdict({ effect }: { effect: string }) {
  const { words, mark } = marks[effect] ?? { words: effect.replaceAll('_', ' '), mark: 'bg-line-strong' };
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden="true" className={`size-2 ${mark}`} />
      {words}
    </span>
  );
}
